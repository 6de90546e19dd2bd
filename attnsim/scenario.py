"""Everything a run depends on, as one frozen record."""

import math
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from attnsim.choices.declared import Knob, check_fields, choice, knob, knobs_of, options_of, plain
from attnsim.choices.formats import FORMATS
from attnsim.choices.laws import LAWS
from attnsim.choices.laws.initialised import INITIALISATIONS
from attnsim.choices.masks import MASKS, Sight
from attnsim.choices.scalings import SCALINGS, Expression, Rule, Setting, parse
from attnsim.choices.sections import lab_of
from attnsim.words import _

MOST_RULES = 6
SMALLEST_FACTOR, LARGEST_FACTOR = 1e-100, 1e100  # of a typed formula
ROUNDING = 1e-9  # by which rho may pass its limit, so that a limit that was printed can be typed
LAST_DIGITS = 4e-16
EVERY_DIMENSION = 1024  # up to which a typed formula is tried at each dimension, and beyond at some


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Everything a run depends on: equal scenarios give equal results.

    Attributes
    ----------
    dim : int
        Components of a query or key, d_k.
    keys : int
        Keys of the row, n.
    law : str
        Law of the components, an id of `choices.laws`.
    nu : float
        Degrees of freedom of Student's t.
    shape : float
        Standard deviation of the logarithm of a log-normal component.
    nonzero : float
        Share of the components that are not 0 under the sparse law.
    phi_q, phi_k : float
        Correlation of neighbouring components under the law ar1.
    rank : int
        Width of the tokens behind low-rank queries and keys.
    projections : str
        Whether low-rank queries and keys have "independent" matrices or are "tied" to one.
    d_model : int
        Width of the embeddings behind initialised queries and keys.
    initialisation : str
        Law of the entries of their matrices, an id of `choices.laws.initialised`.
    sigma_q, sigma_k : float
        Standard deviation of a component.
    mean_q, mean_k : float
        Mean of a component.
    rho : float
        Corr(q_i, k_i).
    aligned : str
        Which keys have `rho`: "all", or "one" (key 0; the others are independent of the query).
    r_q, r_k : float
        Correlation between any two components of one vector.
    scalings : tuple of str
        Scale rules shown side by side, such as `("none", "power:0.25", "constant:8")`.
    seed : int
        Equal seeds give equal draws.
    rows : int
        Rows of the ensemble.
    mask : str
        Which keys the query sees, an id of `choices.masks`.
    mask_size : int
        How many or how far apart they are; means nothing to some masks.
    format : str
        Number format of scores and weights, an id of `choices.formats`.
    layer_number : int
        Number of the layer, from 1; only a typed formula reads it, as `layer`.
    section : record or None
        Options of one lab, a record of `choices.sections`; it stays behind when another lab takes the scenario.

    Raises
    ------
    ValueError
        Names the field, its limits and the value.
    """

    dim: int = knob(256, 1, 65_536, whole=True, logarithmic=True)
    keys: int = knob(64, 1, 65_536, whole=True, logarithmic=True)
    law: str = choice("normal", *LAWS)
    nu: float = knob(5.0, 1.0, 1000.0, logarithmic=True)
    shape: float = knob(0.5, 0.01, 2.0, logarithmic=True)
    nonzero: float = knob(0.1, 0.001, 1.0, logarithmic=True)
    phi_q: float = knob(0.9, -0.99, 0.99)
    phi_k: float = knob(0.9, -0.99, 0.99)
    rank: int = knob(16, 1, 8192, whole=True, logarithmic=True)
    projections: str = choice("independent", "independent", "tied")
    d_model: int = knob(512, 1, 8192, whole=True, logarithmic=True)
    initialisation: str = choice("xavier_fused", *INITIALISATIONS)
    sigma_q: float = knob(1.0, 0.001, 1000.0, logarithmic=True)
    sigma_k: float = knob(1.0, 0.001, 1000.0, logarithmic=True)
    mean_q: float = knob(0.0, -100.0, 100.0)
    mean_k: float = knob(0.0, -100.0, 100.0)
    rho: float = knob(0.0, -1.0, 1.0)
    aligned: str = choice("all", "all", "one")
    r_q: float = knob(0.0, 0.0, 1.0)
    r_k: float = knob(0.0, 0.0, 1.0)
    scalings: tuple[str, ...] = field(default=("none", "inverse_sqrt", "inverse_d", "constant:8"))
    seed: int = knob(7, 0, 2**63 - 1, whole=True)
    rows: int = knob(2000, 1, 1_000_000, whole=True, logarithmic=True)
    mask: str = choice("none", *MASKS)
    mask_size: int = knob(16, 1, 65_536, whole=True, logarithmic=True)
    format: str = choice("fp64", *FORMATS)
    layer_number: int = knob(1, 1, 1000, whole=True, logarithmic=True)
    section: Any = None

    def __post_init__(self) -> None:
        check_fields(self)
        if self.section is not None:
            lab_of(self.section)  # refuses what is no section
        self._check_scalings()
        self._check_correlations()
        for rule in self.rules:
            self._check_rule(rule)

    def _check_scalings(self) -> None:
        names = (self.scalings,) if isinstance(self.scalings, str) else tuple(self.scalings)
        object.__setattr__(self, "scalings", names)
        if not 1 <= len(names) <= MOST_RULES:
            raise ValueError(
                _("scalings must name 1..{most} rules, not {count}").format(most=MOST_RULES, count=len(names))
            )
        rules = [parse(name) for name in names]
        seen = {(rule.scaling.key, rule.value) for rule in rules}
        if len(seen) < len(rules):
            raise ValueError(_("scalings must differ from each other, not {value}").format(value=", ".join(names)))

    def _check_correlations(self) -> None:
        law = LAWS[self.law]
        refused = law.refusal(self) if law.refusal is not None else None
        if refused is not None:
            raise ValueError(refused)
        for name in law.refuses:
            if getattr(self, name):
                raise ValueError(
                    _("{name} must be 0 for the law {law}, {reason}, not {value}").format(
                        name=name, law=self.law, reason=_(law.reason), value=plain(getattr(self, name))
                    )
                )
        _low, high = self.limits("rho")
        if abs(self.rho) > high * (1.0 + ROUNDING):
            one, other = law.reads if law.reach is not None else ("r_q", "r_k")
            raise ValueError(
                _(
                    "rho must lie in {low:.4g}..{high:.4g} when {one} is {first:g} and {other} is {second:g}, "
                    "not {value:g}"
                ).format(
                    low=0.0 - high, high=high, value=self.rho,
                    one=one, first=getattr(self, one), other=other, second=getattr(self, other),
                )
            )  # fmt: skip

    def _check_rule(self, rule: Rule) -> None:
        """Raise ValueError where a rule makes no sense in this scenario."""
        formula = rule.value if isinstance(rule.value, Expression) else None
        if rule.scaling.needs_norms and not LAWS[self.law].gives_norms:
            raise ValueError(
                _("scalings: {name} needs the lengths of the keys, which the law {law} does not give").format(
                    name=rule.name, law=self.law
                )
            )
        if rule.scaling.reads_spread or (formula is not None and "within_sd" in formula.names):
            if not self.has_variance:
                raise ValueError(
                    _("scalings: {name} needs a variance, which the law {law} does not have at nu = {nu:g}").format(
                        name=rule.name, law=self.law, nu=self.nu
                    )
                )
            if self.rho**2 >= 1.0 - ROUNDING and (self.aligned == "all" or self.keys == 1):
                raise ValueError(
                    _("scalings: {name} needs a spread within the row, and there is none when rho is {rho:g}").format(
                        name=rule.name, rho=self.rho
                    )
                )
        if formula is not None:
            dims = np.arange(1.0, min(self.dim, EVERY_DIMENSION) + 1.0)
            dims = np.append(dims, np.geomspace(dims[-1], self.dim, 64))
            factors = rule.multiplier(dims)
            bad = np.flatnonzero(~((factors >= SMALLEST_FACTOR) & (factors <= LARGEST_FACTOR)))
            if bad.size:
                raise ValueError(
                    _(
                        "scalings: {name} must lie in {low:g}..{high:g} at every d in 1..{dim}, "
                        "not be {value:g} at d = {d:g}"
                    ).format(
                        name=rule.name,
                        dim=self.dim,
                        low=SMALLEST_FACTOR,
                        high=LARGEST_FACTOR,
                        value=factors[bad[0]],
                        d=dims[bad[0]],
                    )
                )

    def limits(self, name: str) -> tuple[float, float]:
        """Return what a numeric field may hold while all others but the law's own parameters stay as they are.

        Notes
        -----
        Corr(q_i, k_i) has to leave both vectors their own variance: rho^2 <= (1 - r_q)(1 - r_k), and under
        the law ar1 what its innovations allow.
        """
        declared, law = knobs()[name], LAWS[self.law]
        if name in law.refuses:
            return 0.0, 0.0
        if name == "rho":
            reach = math.sqrt((1.0 - self.r_q) * (1.0 - self.r_k)) if law.reach is None else law.reach(self)
            return -reach, reach
        if name in ("r_q", "r_k"):
            other = self.r_k if name == "r_q" else self.r_q
            if self.rho == 0.0:
                return declared.low, declared.high
            free = 1.0 - self.rho**2 / (1.0 - other) - LAST_DIGITS if other < 1.0 else 0.0
            return declared.low, max(0.0, free)
        return declared.low, declared.high

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The scale rules, read; they know the spread within a row of plain components alone."""
        return self.rules_of(self.sight(self.keys - 1))

    def sight(self, query: int, first_row: int = 0) -> Sight:
        """Return from where the mask is looked at: the position of the query among the keys."""
        return Sight(query=query, keys=self.keys, size=self.mask_size, seed=self.seed, first_row=first_row)

    def rules_of(self, sight: Sight, **known: Any) -> tuple[Rule, ...]:
        """Return the scale rules with what they may know; `known` are `steps` and `spread` of `Setting`."""
        setting = Setting(
            keys=max(1, MASKS[self.mask].count(sight)),
            d_model=int(getattr(self, "d_model", Setting().d_model)),
            layer=self.layer_number,
            sigma_q=self.sigma_q,
            sigma_k=self.sigma_k,
            rho=self.rho,
            **known,
        )
        return tuple(parse(name).at(setting) for name in self.scalings)

    @property
    def has_variance(self) -> bool:
        """Whether the components have a variance."""
        return LAWS[self.law].tail(self) > 2.0

    @property
    def marginal_changed(self) -> bool:
        """Whether correlation makes the components' law another than the one named."""
        return self.law not in ("normal", "sign", "ar1") and bool(self.rho or self.r_q or self.r_k)

    def but(self, **changes: Any) -> "Scenario":
        """Return the same scenario with some fields changed, those of the lab's section among them."""
        own = {f.name for f in fields(self)}
        inner = {name: value for name, value in changes.items() if name not in own}
        outer = {name: value for name, value in changes.items() if name in own}
        if inner:
            section = outer.get("section", self.section)
            known = {f.name for f in fields(section)} if section is not None else set()
            for name in inner.keys() - known:
                raise ValueError(
                    _("{name} is no field of the scenario; known are {known}").format(
                        name=repr(name), known=", ".join(sorted(known | own))
                    )
                )
            outer["section"] = replace(section, **inner)
        return replace(self, **outer)


def knobs() -> dict[str, Knob]:
    """Return the numeric fields and their limits, in order."""
    return knobs_of(Scenario)


def options() -> dict[str, tuple[str, ...]]:
    """Return the fields that hold one word, and the words."""
    return options_of(Scenario)


def offered_scalings() -> tuple[str, ...]:
    """Return the ids of all scale rules."""
    return tuple(SCALINGS)
