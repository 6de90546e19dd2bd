"""`attnsim inspect`."""

import pytest

SMALL = ("--dim", 32, "--keys", 8, "--rows", 50, "--rho", "0.25")


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_file_says_where_it_comes_from(attnsim, tmp_path, suffix):
    path = tmp_path / f"figure.{suffix}"
    attnsim("export", "--out", path, "--dpi", 40, *SMALL)
    record = attnsim("inspect", path, "--json").json
    assert record["scenario"]["dim"] == 32
    assert record["scenario"]["rho"] == 0.25
    assert record["lab"] == "walk"
    assert "dimension 32" in record["caption"]
    assert record["link"] == "attnsim:1?dim=32&keys=8&rho=0.25&rows=50"
    assert record["not_restored"] == []
    words = attnsim("inspect", path).out
    assert "scenario.dim: 32\n" in words
    assert "scenario.seed" not in words


def test_a_link_is_read_and_what_it_cannot_say_is_told(attnsim):
    record = attnsim("inspect", "attnsim:1?dim=32&sauce=red", "--json").json
    assert record["command"] == "attnsim export --out figure.png --dim 32"
    assert record["python"].startswith("import attnsim\n")
    assert record["not_restored"] == ["scenario.sauce is not known here and left out."]


def test_a_file_that_says_nothing_is_told_in_one_sentence(attnsim, tmp_path, head):
    (tmp_path / "plain.txt").write_text("words")
    for path in (head, tmp_path / "plain.txt"):
        outcome = attnsim("inspect", path)
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.error == f"attnsim: {path.name} does not say where it comes from\n"
