"""What the controls of the Scenario's fields are called, which stand side by side, and how far their sliders go."""

from attnsim.choices.formats import FORMATS
from attnsim.choices.laws import LAWS
from attnsim.choices.masks import MASKS
from attnsim.words import mark

# (rich text, plain words) of each numeric field
TITLES = {
    "dim": (mark("Dimension <i>d</i>"), mark("Dimension")),
    "keys": (mark("Keys <i>n</i>"), mark("Keys")),
    "nu": (mark("Degrees of freedom <i>ν</i>"), mark("Degrees of freedom")),
    "shape": (mark("<i>σ</i> of the logarithm"), mark("Spread of the logarithm")),
    "nonzero": (mark("Share that is not 0, <i>p</i>"), mark("Share that is not 0")),
    "phi_q": (mark("<i>φ</i> in <i>q</i>"), mark("Correlation of neighbours in q")),
    "phi_k": (mark("<i>φ</i> in <i>k</i>"), mark("Correlation of neighbours in k")),
    "rank": (mark("Rank <i>r</i>"), mark("Rank")),
    "d_model": (mark("Width <i>D</i> of the model"), mark("Width of the model")),
    "sigma_q": (mark("<i>σ</i> of <i>q</i>"), mark("Spread of q")),
    "sigma_k": (mark("<i>σ</i> of <i>k</i>"), mark("Spread of k")),
    "mean_q": (mark("<i>μ</i> of <i>q</i>"), mark("Mean of q")),
    "mean_k": (mark("<i>μ</i> of <i>k</i>"), mark("Mean of k")),
    "rho": (mark("Correlation <i>ρ</i> of <i>q</i> and <i>k</i>"), mark("Correlation of q and k")),
    "r_q": (mark("<i>r</i> in <i>q</i>"), mark("Correlation within q")),
    "r_k": (mark("<i>r</i> in <i>k</i>"), mark("Correlation within k")),
    "rows": (mark("Rows drawn"), mark("Rows drawn")),
    "mask_size": (mark("Keys of the mask"), mark("Keys of the mask")),
    "layer_number": (mark("Layer"), mark("Number of the layer")),
}
CHOICE_TITLES = {
    "law": mark("Law"),
    "aligned": mark("Correlated keys"),
    "projections": mark("Matrices"),
    "initialisation": mark("Initialisation"),
    "mask": mark("Mask"),
    "format": mark("Format"),
}
DESCRIBED = {"law": LAWS, "mask": MASKS, "format": FORMATS}  # fields whose words are entries of a registry
REAL_TOO = {"mask", "format"}  # what means something to real vectors as well
CHOICE_WORDS = {
    "all": mark("every key"),
    "one": mark("key 0 alone"),
    "independent": mark("independent"),
    "tied": mark("tied"),
}
OF_LAWS = {name for law in LAWS.values() for name in law.reads}  # shown for the laws that read them alone

# fields that stand side by side
PAIRS = {"sigma_q": "sigma_k", "mean_q": "mean_k", "r_q": "r_k", "phi_q": "phi_k"}

# the sliders keep to where most is to be seen; the field beside them takes the whole range
REACH = {
    "mean_q": (-2.0, 2.0),
    "mean_k": (-2.0, 2.0),
    "sigma_q": (0.1, 10.0),
    "sigma_k": (0.1, 10.0),
    "nu": (1.0, 100.0),
    "rows": (10, 100_000),
}
