"""`attnsim run which_d`."""


def test_numbers_and_pictures_of_the_seven_lines(attnsim, tmp_path):
    path = tmp_path / "which.svg"
    words = ("run", "which_d", "--dim", 16, "--keys", 8, "--rows", 50, "--heads", 4, "--guess", "sqrt_d_model")
    outcome = attnsim(*words, "--figures", "which_d_symptoms,which_d_growth", "--json", "--out", path)
    assert outcome.code == 0
    assert outcome.json["scenario"]["heads"] == 4
    assert outcome.json["numbers"]["variants"]["sqrt_d_model"]["factor"] == 1 / 8
    assert path.read_text().count("<svg") == 1


def test_people_are_asked_before_they_are_told(attnsim):
    hidden = attnsim("run", "which_d", "--dim", 16, "--keys", 8, "--rows", 50).out
    shown = attnsim("run", "which_d", "--dim", 16, "--keys", 8, "--rows", 50, "--show-reveal", "shown").out
    assert "which line of code is that?" in hidden
    assert "which line of code is that?" not in shown


def test_a_moment_or_key_the_result_does_not_have_is_refused(attnsim):
    small = ("--dim", 16, "--keys", 4, "--rows", 20)
    outcome = attnsim("run", "walk", "--playhead", 17, "--json", *small)
    assert (outcome.code, outcome.error) == (2, "attnsim: playhead must lie in 0..16, not 17\n")
    assert "marked must lie in 0..3, not 4" in attnsim("run", "which_d", "--marked", 4, *small).error
