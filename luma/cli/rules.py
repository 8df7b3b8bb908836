"""``luma rules``: to be filled."""

import click


@click.group()
def rules() -> None:
    """Look at, check and test rules of the optimizer."""
