"""Put what the commands read of `config` and `resources` into the wheel, in the package's folder.

All else stands in pyproject.toml. An editable installation reads these files where they are.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

READ = (
    "config/*.yaml",
    "resources/measured/**/*.tsv",
    "resources/published/*.tsv",
    "resources/queries/any/*.req",
    "resources/tagsets/*",
)


class BuildWithFiles(build_py):
    """Build the package, and copy the files of READ beside it."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for pattern in READ:
                for file in sorted(Path().glob(pattern)):
                    target = Path(self.build_lib, "kasu", file)
                    self.mkpath(str(target.parent))
                    self.copy_file(str(file), str(target))


setup(cmdclass={"build_py": BuildWithFiles})
