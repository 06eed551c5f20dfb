"""``python -m fairreport`` is the command ``fairreport``."""

import sys

from fairreport.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
