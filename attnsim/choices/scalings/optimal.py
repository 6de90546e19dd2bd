"""The factor that gives this scenario a spread of 1 within a row."""

from attnsim.choices.scalings.rule import Floats, Scaling, Setting, Value
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return one over the standard deviation within a row."""
    return 1.0 / setting.within_sd(dims)


SCALING = Scaling(
    key="optimal",
    title=mark("÷ sd within the row"),
    formula=r"q \cdot k / \sqrt{E\,Var(q \cdot k \mid q)}",
    source="the law of total variance: what is between the rows, the softmax does not see",
    sentences=(
        mark("Divides by the standard deviation that theory gives the scores of one row."),
        mark("For plain components that is √d; with correlations or a mean of the query it is not."),
    ),
    color="rule_optimal",
    multiplier=multiplier,
    reads_spread=True,
)
