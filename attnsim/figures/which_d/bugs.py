"""Where each mistake was made in earnest."""

from attnsim.experiments.which_d.records import Symptoms
from attnsim.figures.marks import Figure, Paragraph, Table
from attnsim.view import View
from attnsim.words import _, mark

# what stood in the code, in which projects it was reported, and what it is or does
CASES = (
    (mark("√d_model for √d_head"), mark("a GPT lecture's code, vision transformers"), mark("flatter by √heads")),
    (mark("hidden / heads for d_head"), mark("Gemma in a C++ runtime"), mark("worse answers")),
    (mark("a fixed 8"), mark("masked image generation"), mark("right at d = 64 alone")),
    (mark("√n for √d"), mark("readers of diffusion code"), mark("changes with length")),
    (mark("no scale"), mark("a blog, a textbook in Java"), mark("one-hot, stuck rows")),
    (mark("scaled beside a fused kernel"), mark("differential attention"), mark("÷ d: even weights")),
    (mark("d_v for d_k"), mark("GPT-2"), mark("no harm: equal there")),
    (mark("⁴√d on q and on k"), mark("diffusion U-nets"), mark("right, reported as a bug")),
    (mark("q scaled before the product"), mark("minGPT, Flaubert"), mark("right, reported as a bug")),
    (mark("× d**-0.5, read as × √d"), mark("a GPT lecture's code"), mark("right, reported as a bug")),
    (mark("no scale, by design"), mark("T5; Gemma after QK-norm"), mark("right: it is in the weights")),
)


def build(result: Symptoms, view: View) -> Figure:
    """Return a table of mistakes that were reported, and of right code that was taken for one."""
    return Figure(
        key="which_d_bugs",
        title=_("Mistakes that were made"),
        subtitle=_("From reports in public projects"),
        note="",
        plots=(),
        summary=_("{count} reports about the scale factor: some are mistakes, some right code taken for one.").format(
            count=len(CASES)
        ),
        table=Table(
            heads=(_("in the code"), _("where"), _("what it does")),
            rows=tuple(tuple(_(cell) for cell in case) for case in CASES),
            numeric=(False, False, False),
        ),
        page=(
            Paragraph(
                _(
                    "A test that finds all of them: draw standard normal q and k at two values of d, n and heads, and "
                    "look whether the scores that enter the softmax have standard deviation 1 each time."
                )
            ),
        ),
    )
