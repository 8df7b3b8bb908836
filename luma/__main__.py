"""``python -m luma``."""

from luma.cli import main

if __name__ == "__main__":
    main()
