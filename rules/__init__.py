"""The rewrite rules (``*.egg``) that the optimizer loads; ``README.md`` is the law for them."""
