"""What tests of files share."""

import hashlib
import time

import pytest

from kasu.files import hashes


@pytest.fixture
def digests(monkeypatch) -> list[str]:
    """The files that are hashed from now on; a change shows in the date of a file at once."""
    read = []

    def digest(file, algorithm):
        read.append(file.name)
        return hash_file(file, algorithm)

    hash_file = hashlib.file_digest
    monkeypatch.setattr(hashlib, "file_digest", digest)
    monkeypatch.setattr(hashes, "CLOCK", 0)
    monkeypatch.setattr(hashes, "_known", {})
    time.sleep(0.02)  # two ticks of the kernel's clock
    return read
