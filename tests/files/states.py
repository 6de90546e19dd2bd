"""States of any kind, for properties: every field of Scenario, section and View at any value it may hold."""

from dataclasses import fields

from hypothesis import strategies as some

from attnsim.choices.sections import section_of
from attnsim.files.restoring import _fitted
from attnsim.files.state import State, controls
from attnsim.files.vector_reference import Reference
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View

RULES = ("none", "inverse_sqrt", "power:0.25", "constant:8", "custom:max(d,n)/(1+d)", "custom:1/sqrt(d)", "softcap:30")
WORDS = some.text(some.characters(exclude_categories=("Cs", "Cc")), max_size=30)


def values_of(field):
    """Return any value a declared field may hold."""
    if "options" in field.metadata:
        return some.sampled_from(field.metadata["options"])
    limits = field.metadata["knob"]
    if limits.whole:
        return some.integers(int(limits.low), int(limits.high))
    return some.floats(limits.low, limits.high, allow_subnormal=False)


def fields_of(record):
    """Return any values of some declared fields of a record."""
    declared = {f.name: values_of(f) for f in fields(record) if f.metadata}
    return some.fixed_dictionaries({}, optional=declared)


@some.composite
def scenarios(draw, lab):
    """Any scenario of a lab: fields that do not go together are left out, as they are when a file is read."""
    wanted = draw(fields_of(Scenario))
    wanted["scalings"] = tuple(draw(some.lists(some.sampled_from(RULES), min_size=1, max_size=6, unique=True)))
    section = section_of(lab)
    if section is not None:
        wanted |= draw(fields_of(section))
    return _fitted(Scenario(section=section), wanted, [])


@some.composite
def views(draw, lab, scenario):
    """Any view of a scenario."""
    numbers = some.integers(0, scenario.keys - 1)
    picks = {pick.name: some.sampled_from([word for word, _title in pick.options]) for pick in LABS[lab].picks}
    return View(
        playhead=draw(some.none() | some.integers(0, scenario.dim)),
        marked=tuple(draw(some.lists(numbers, max_size=6, unique=True))),
        hovered=draw(some.none() | numbers),
        rule=draw(some.sampled_from(scenario.scalings)),
        log_weights=draw(some.booleans()),
        bits=draw(some.booleans()),
        figures=tuple(draw(some.lists(some.sampled_from(LABS[lab].figures), unique=True))),
        picks=tuple(draw(some.fixed_dictionaries({}, optional=picks)).items()),
    )


@some.composite
def states(draw, vectors=True):
    """Any state."""
    lab = draw(some.sampled_from(list(LABS)))
    scenario = draw(scenarios(lab))
    names = some.lists(some.sampled_from(controls()), max_size=4, unique=True)
    reference = None
    if vectors and LABS[lab].real:
        place = some.integers(0, 99)
        reference = draw(some.none() | some.builds(Reference, title=WORDS, layer=place, head=place, row=place))
    return State(
        lab=lab,
        scenario=scenario,
        view=draw(views(lab, scenario)),
        vectors=reference,
        title=draw(WORDS),
        notes=draw(WORDS),
        hidden=tuple(draw(names)),
        locked=tuple(draw(names)),
    )
