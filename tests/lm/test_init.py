import os
import subprocess
import sys


def test_the_library_of_the_hub_is_offline():
    code = "import kasu.lm, huggingface_hub.constants as c; print(c.HF_HUB_OFFLINE)"
    environment = {key: value for key, value in os.environ.items() if key != "HF_HUB_OFFLINE"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    command = [sys.executable, "-c", code]
    assert subprocess.check_output(command, env=environment, text=True) == "True\n"
