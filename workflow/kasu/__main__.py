"""`python -m kasu`: the command `kasu`."""

import sys

from kasu.cli import main

sys.exit(main())
