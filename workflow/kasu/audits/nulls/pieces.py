"""How many pieces a tokenizer makes of a text, which says in part how a model will score it."""

from collections.abc import Callable
from pathlib import Path

from kasu.base.errors import KasuError


def piece_counter(path: Path) -> Callable[[str], int]:
    """Load a tokenizer, from the folder of a model or a `tokenizer.json`; return what counts.

    Raises:
        KasuError: it cannot be loaded.
    """
    if path.is_dir():
        # transformers and torch take seconds to import
        from kasu.lm.models.loading import load_tokenizer

        tokenizer = load_tokenizer(path)
        return lambda text: len(tokenizer(text, add_special_tokens=False)["input_ids"])
    from tokenizers import Tokenizer

    from kasu.lm.models.pieces import leave_out_dropout

    try:
        file = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises no other class
        found = f"no tokenizer ({str(error).splitlines()[0][:100]})"
        raise KasuError(path, found, "a tokenizer.json, or the folder of a model") from error
    # As the folder of a model: the whole text, nothing but it, and always alike
    file.no_truncation()
    file.no_padding()
    leave_out_dropout(file, path)
    return lambda text: len(file.encode(text, add_special_tokens=False).ids)
