"""What a file keeps about where its figures come from."""

import dataclasses
import json
from typing import Any

from attnsim.experiments.result import Record
from attnsim.files.state import state_of, to_json
from attnsim.scenario import Scenario
from attnsim.version import __version__
from attnsim.view import View

USUAL = Scenario()
ALWAYS = ("dim", "keys", "law", "scalings", "seed", "rows")  # what a figure's footer names in any case


def provenance(result: Record, view: View, lab: str = "walk") -> dict[str, str]:
    """Return what a file keeps about where its figures come from: enough to make them again.

    Returns
    -------
    dict of str to str
        `attnsim:version`, `attnsim:lab`, `attnsim:scenario` and `attnsim:view` (JSON), `attnsim:vectors` (JSON) of real
        vectors, `attnsim:caption` (a sentence), `attnsim:footer` (a line to be printed), and `attnsim:state`, the JSON
        from which `files.state` makes it all again. No user's name and no path is among them.
    """
    from attnsim.figures.summaries import summary_of

    vectors, scenario = result.vectors, dataclasses.asdict(result.scenario)
    kept = {
        "attnsim:version": __version__,
        "attnsim:lab": lab,
        "attnsim:scenario": json.dumps(scenario),
        "attnsim:view": json.dumps(dataclasses.asdict(view)),
        "attnsim:caption": summary_of(result).caption(result),
    }
    if vectors is None:
        usual = dataclasses.asdict(USUAL)
        scenario |= scenario.pop("section") or {}
        shown = [name for name in scenario if name in ALWAYS or scenario[name] != usual.get(name)]
        parts = [f"{name} {_plain(scenario[name])}" for name in shown]
    else:
        place = {"layer": vectors.layer, "head": vectors.head, "row": vectors.row}
        source = {"title": vectors.title, **place, "sha256": vectors.content_hash}
        kept["attnsim:vectors"] = json.dumps(source, ensure_ascii=False)
        parts = [vectors.title, *(f"{name} {number}" for name, number in place.items())]
    kept["attnsim:state"] = to_json(state_of(result, view, lab))
    return kept | {"attnsim:footer": f"attnsim {__version__} · " + ", ".join(parts)}


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)
