"""What the frozen program starts with."""

import multiprocessing
import sys

from attnsim.__main__ import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
