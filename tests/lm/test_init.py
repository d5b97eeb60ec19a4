import os
import subprocess
import sys


def test_the_library_of_the_hub_is_left_as_it_is():
    """A notebook goes on to fetch or upload."""
    code = "import os; was = {**os.environ}; import kasu.lm; print({**os.environ} == was)"
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    command = [sys.executable, "-c", code]
    assert subprocess.check_output(command, env=environment, text=True) == "True\n"
