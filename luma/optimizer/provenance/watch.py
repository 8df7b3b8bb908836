"""Looking on while a module is optimized, to tell afterwards what happened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from luma.ir.module import Function, Module
from luma.optimizer.choice import Chosen, Loaded
from luma.optimizer.egraph import Rules, rule_path
from luma.optimizer.provenance.account import Account
from luma.optimizer.provenance.recording import RecordingRules, recorders
from luma.optimizer.provenance.replay import Replay
from luma.optimizer.rewrite import MAX_INSTRUCTIONS, Plan
from luma.optimizer.rulefiles.read import known_by_us, ours, read
from luma.optimizer.term import Definition, Graph


class Watch:
    """What was seen.

    ``passes`` has the module before and after each pass, the rules being the last; ``accounts``
    tells of the functions that rules have rewritten, by name; ``notes`` are what else to know.
    """

    def __init__(self) -> None:
        self.passes: list[tuple[str, Module, Module]] = []
        self.accounts: dict[str, Account] = {}
        self.notes: list[str] = []
        self._replay: Replay | None = None

    def passed(self, name: str, before: Module, after: Module) -> None:
        """See what a pass did."""
        self.passes.append((name, before, after))
        if name == "rules":
            self.notes += [
                f"{f.name} is too large for the rules (more than {MAX_INSTRUCTIONS} instructions)"
                for f in before.functions
                if f.name not in self.accounts
            ]

    def rules(self, plan: Plan) -> Rules:
        """The plan's rules with recorders beside them."""
        files = [f for f in ours() if Path(f.name).name in plan.files]
        known = known_by_us()
        for name, text in plan.user:
            file = read(name, text, known, trusted=True)
            known = file.known
            files.append(file)
        paths = [rule_path(name) for name in plan.files]
        return RecordingRules(paths, plan.user, recorders(files))

    def saturated(self, definitions: list[Definition], rules: Rules, graph: Graph) -> None:
        """Do again what the rules did to a graph."""
        assert isinstance(rules, RecordingRules)
        self._replay = Replay(definitions, rules, graph)

    def rebuilt(self, item: Loaded, part: Graph, origins: list[int], chosen: Chosen) -> None:
        """Account for a function."""
        assert self._replay is not None
        self.accounts[item.function.name] = Account(self._replay, item, part, origins, chosen)

    def failed(self, functions: Sequence[Function], problem: Exception) -> None:
        """Note what did not work."""
        names = ", ".join(f.name for f in functions)
        self.notes.append(f"{names}: tried again with other rules or alone, as {problem}")
