"""How many entries a list of a config may have."""

import pytest

from kasu.base.errors import KasuError
from kasu.config.extent import check_extent


@pytest.mark.parametrize(("section", "most"), [("seeds", 250), ("corpora", 100)])
def test_a_list_may_be_so_long_and_no_longer(section, most):
    check_extent({section: [1] * most})
    with pytest.raises(KasuError, match=f"^config {section}: {most + 1} entries; .* most {most},"):
        check_extent({section: [1] * (most + 1)})
