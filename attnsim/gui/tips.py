"""What is said when the mouse rests on a control or a card, and how to read the picture."""

from collections.abc import Sequence
from html import escape

from attnsim.figures.marks import Figure
from attnsim.figures.numbers import number
from attnsim.figures.readouts import SATURATED, Readout
from attnsim.gui.theme import strong
from attnsim.labs.lab import Lab
from attnsim.words import _, mark

FIELDS = {
    "dim": mark("d: how many components a query and a key have; a score is a sum of d products."),
    "keys": mark("n: how many keys the one query of this row meets; the softmax runs over them."),
    "seed": mark("Number of the draw: equal settings and seed give the same vectors again."),
    "law": mark("Law of one component of the vectors q and k, before mean and spread are set."),
    "nu": mark("ν: degrees of freedom of Student's t; the smaller, the heavier its tails. No variance up to 2."),
    "shape": mark("σ of the logarithm of a log-normal component: the larger, the longer its tail to the right."),
    "nonzero": mark("p: share of the components that are not 0; the others are normal and larger by 1/√p."),
    "phi_q": mark("φ_q: how much a component of the query leans on the one before it."),
    "phi_k": mark("φ_k: how much a component of a key leans on the one before it."),
    "rank": mark("Width of the tokens behind q and k: q = x W_Q and k = x W_K have at most this rank."),
    "projections": mark("Whether W_Q and W_K are drawn independently or are one and the same matrix."),
    "d_model": mark("D: width of the embeddings that W_Q and W_K project to d components."),
    "initialisation": mark("What the entries of W_Q and W_K are filled with before any training."),
    "sigma_q": mark("σ_q: standard deviation of each component of the query."),
    "sigma_k": mark("σ_k: standard deviation of each component of a key."),
    "mean_q": mark("μ_q: mean of each component of the query."),
    "mean_k": mark("μ_k: mean of each component of the keys. It adds one number to a whole row, unseen by softmax."),
    "rho": mark("ρ: correlation between a component of the query and the same component of a key."),
    "aligned": mark("Which keys have the correlation ρ with the query: every one, or key 0 alone."),
    "r_q": mark("r_q: correlation between any two components of one query."),
    "r_k": mark("r_k: correlation between any two components of one key."),
    "mask": mark("Which keys the query sees; a hidden key takes no part in the softmax and has weight 0."),
    "mask_size": mark("The mask's own number: how many keys it shows, or how far apart they lie."),
    "format": mark("Number format to which every operation from score to weight is rounded."),
    "layer_number": mark("Number of the layer, which a typed formula may read as layer."),
    "rows": mark("How many rows, each a new query with new keys, are drawn for the score distribution and its cards."),
}
NEW_SEED = mark("Throws a new seed: other vectors under the same settings (R).")
SCRUB = mark("Playhead: how many components are summed so far. All panels show the same draw at that d.")
SPEED = mark("Speed of playing: at 1× all d components take eight seconds.")
EXPORT = mark("Writes this moment to a PNG, SVG or PDF file (Ctrl+E).")
OPEN = mark("Opens a file with the q and k of a real model (Ctrl+O).")
HELP = mark("How to read the picture, and all shortcuts (F1).")
LESSONS = mark("Lessons of a few minutes: predict, then see (F2).")
THEME = mark("Changes between light and dark (D).")
LAYER = mark("Layer of the open file.")
HEAD = mark("Attention head of the layer, counted from 0.")
ROW = mark("Query row: which token asks, counted from 0.")
BACK = mark("Closes the file and draws random vectors again.")

# what each card measures, and over what
CARDS = {
    "row_mean": mark("Mean of the n scores of this one row."),
    "row_sd": mark("Standard deviation of the n scores of this one row."),
    "mean": mark("Mean of the scores over all pairs of query and key of all rows drawn."),
    "sd": mark("Standard deviation of the scores over all pairs of query and key of all rows drawn."),
    "within_sd": mark(
        "Standard deviation of the scores within rows, each around its own row's mean, over all rows drawn: "
        "the spread that softmax sees."
    ),
    "scaled_sd": mark("The spread within rows, times the factor of the rule of the lower score plot."),
    "largest_weight": mark("Largest of the n softmax weights of this row under the rule. Uniform is 1/n."),
    "entropy": mark("Entropy of the softmax weights of this row. Uniform is its largest value, that of equal weights."),
}
GIVEN = mark("Given q: the exact value for this row's query, over all keys it could meet.")
THEORY = mark("Theory: the exact value over all draws of these settings.")
INDEPENDENT = mark("If independent: what components of these means and spreads would give if they were independent.")
DEVIATION = mark("SE: measured minus theory, in standard errors; within ±2 is usual.")
GAUGE = mark("Gauge: dot measured, tick theory, band 95 % interval.")
SATURATED_WORDS = mark("Saturated: one key has {share} or more, and hardly any gradient passes.")

PANELS = {
    "walk": (
        mark("Each thin line is one key: the running sum of the products q_i·k_i. Where it ends is the key's score."),
        mark("The grey band is 1 and 2 standard deviations around the mean of the row's own law, given its query."),
        mark("Dashed lines are mean ± standard deviation over all draws: ±√d in the plain case."),
        mark("At the right lies the histogram of the row's scores at the playhead; its line is the row's own law."),
    ),
    "scores": (
        mark("Bars are scores of many rows, the line is their law by theory; above raw, below under one scale rule."),
        mark("Short strokes at the foot are the scores of the row that the other panels show."),
    ),
    "weights": (
        mark("Softmax weights of the row's keys, largest score first, under each scale rule; they add up to 1."),
        mark("The dashed line is the uniform weight 1/n. One tall bar means that softmax is saturated."),
    ),
}
PANEL_TITLES = {"walk": mark("Walks"), "scores": mark("Scores"), "weights": mark("Weights")}


def wrapped(*sentences: str) -> str:
    """Return sentences as rich text: plain text in a tool tip is one endless line."""
    return "<p>" + "<br>".join(escape(_(sentence)) for sentence in sentences if sentence) + "</p>"


def field(name: str) -> str:
    """Return what a field of the scenario does, with its symbol."""
    return _(FIELDS[name])


def limited(low: float, high: float) -> str:
    """Return what the other fields leave of a field's range."""
    return _("Now {low} to {high}, as long as the other correlations stay: ρ² is at most (1 − r_q)(1 − r_k).").format(
        low=number(low, 1.0), high=number(high, 1.0)
    )


def panel(key: str) -> str:
    """Return how to read one of the panels; empty for those whose own summary says it."""
    return wrapped(*PANELS[key]) if key in PANELS else ""


def card(readout: Readout, of_file: bool) -> str:
    """Return what a card measures, over what, and what stands beside it."""
    words = CARDS.get(readout.key.partition(":")[0], readout.title)
    sentences = [_(words)]
    if readout.theory is not None:
        words = INDEPENDENT if of_file else GIVEN if readout.group == "row" else THEORY
        sentences.append(_(words))
    if readout.deviation is not None:
        sentences.append(_(DEVIATION))
    if readout.low is not None:
        sentences.append(_(GAUGE))
    if readout.tone == "saturated":
        sentences.append(_(SATURATED_WORDS).format(share=f"{SATURATED:g}"))
    return wrapped(*sentences)


def lab_reading(lab: Lab, figures: Sequence[Figure]) -> str:
    """Return what a lab teaches and what each of its figures on screen shows, in rich text."""
    head = f"<p>{strong(escape(_(lab.title)))}<br>{escape(_(lab.lesson))}</p>"
    return head + "".join(
        f"<p>{strong(escape(figure.title))}<br>{escape(figure.subtitle)}<br>{escape(figure.summary)}</p>"
        for figure in figures
    )


def reading() -> str:
    """Return how to read the whole picture, in rich text."""
    parts = [(title, PANELS[key]) for key, title in PANEL_TITLES.items()]
    cards = (
        mark("A large number is measured, the small one under it is theory."),
        mark("“This row” is the one on screen; “all pairs” and “within rows” are all rows drawn."),
        DEVIATION,
        GAUGE,
    )
    play = (mark("Playing grows d, the number of components summed, over one draw and in all panels at once."),)
    sections = (*parts, (mark("Cards"), cards), (mark("Playing"), play))
    return "".join(
        f"<p>{strong(escape(_(title)))}<br>{escape(' '.join(_(line) for line in lines))}</p>"
        for title, lines in sections
    )
