"""Files dated in the future."""

import os
import time

from kasu.files.locks import date_today


def test_only_files_of_the_future_get_a_new_date(tmp_path):
    begin = time.time()
    for name, date in (("old", 1000), ("new", begin + 5000), ("deep/new", begin + 5000)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (date, date))
    (tmp_path / "broken").symlink_to("nowhere")
    assert date_today(str(tmp_path)) == 2
    assert (tmp_path / "old").stat().st_mtime == 1000
    for name in ("new", "deep/new"):
        assert begin <= (tmp_path / name).stat().st_mtime <= time.time()


def test_no_folder_has_no_files(tmp_path):
    assert date_today(str(tmp_path / "none")) == 0
