"""`attnsim table`."""

import pytest

KEYS = {
    *("dim", "keys", "seed", "rows", "scaling", "mean", "sd", "sd_low", "sd_high"),
    *("largest_weight_mean", "largest_weight_median", "entropy_mean"),
}


def test_json_is_a_record_for_each_dimension_and_rule(attnsim):
    records = attnsim("table", "--json", "--dims", "16,64", "--keys", 8, "--rows", 200, "--seed", 7).json
    assert [(r["dim"], r["scaling"]) for r in records] == [
        (dim, rule) for dim in (16, 64) for rule in ("none", "inverse_sqrt", "inverse_d", "constant:8")
    ]
    assert all(set(record) >= KEYS for record in records)
    assert {(r["keys"], r["seed"], r["rows"]) for r in records} == {(8, 7, 200)}


def test_without_scaling_the_spread_is_the_root_of_the_dimension(attnsim):
    records = attnsim("table", "--json", "--dims", "16,256", "--scalings", "none", "--rows", 2000).json
    for record in records:
        error = (record["sd_high"] - record["sd_low"]) / 3.92
        assert abs(record["sd"] - record["dim"] ** 0.5) < 5.0 * error


def test_the_title_says_what_the_numbers_depend_on(attnsim):
    out = attnsim("table", "--dims", "16", "--keys", 8, "--rows", 200, "--seed", 3).out
    title, heads, *lines = out.splitlines()
    assert all(part in title for part in ("keys n = 8", "seed 3", "rows 200"))
    assert heads.split()[:4] == ["rule", "d", "mean", "sd"]
    assert len(lines) == 4


def test_the_columns_are_aligned(attnsim):
    _title, *lines = attnsim("table", "--dims", "16,1024", "--rows", 200).out.splitlines()
    assert len({len(line) for line in lines}) == 1


def test_equal_seeds_print_equal_bytes(attnsim):
    words = ("table", "--json", "--dims", "16", "--rows", 200)
    assert attnsim(*words).out == attnsim(*words).out


@pytest.mark.parametrize("dims", ["16,16", "16, 16"])
def test_a_dimension_named_twice_is_shown_once(attnsim, dims):
    assert len(attnsim("table", "--json", "--dims", dims, "--scalings", "none", "--rows", 50).json) == 1


def test_every_rule_mask_and_format_is_tabulated(attnsim):
    from attnsim.choices.formats import FORMATS
    from attnsim.choices.masks import MASKS
    from attnsim.scenario import offered_scalings

    small = ("--dims", "8,64", "--keys", 8, "--rows", 40)
    names = offered_scalings()
    for start in range(0, len(names), 6):
        records = attnsim("table", "--json", "--scalings", ",".join(names[start : start + 6]), *small).json
        assert all(record["sd"] > 0.0 for record in records)
    for mask in MASKS:
        for record in attnsim("table", "--json", "--mask", mask, "--mask-size", 3, *small).json:
            assert 0.0 < record["largest_weight_mean"] <= 1.0
            assert 0.0 <= record["entropy_mean"] <= 2.0795
    for number_format in FORMATS:
        attnsim("table", "--json", "--format", number_format, *small)


def test_top_k_by_score_leaves_a_small_spread_and_nearly_even_weights(attnsim):
    given = ("--dims", 64, "--keys", 512, "--rows", 200, "--scalings", "inverse_sqrt", "--mask", "top_k")
    (record,) = attnsim("table", "--json", *given, "--mask-size", 64).json
    assert 2.718281828 ** record["entropy_mean"] > 55.0  # of 64


def test_a_window_of_16_is_a_row_of_16(attnsim):
    given = ("--dims", 64, "--rows", 1000, "--scalings", "inverse_sqrt")
    (cut,) = attnsim("table", "--json", *given, "--keys", 64, "--mask", "window", "--mask-size", 16).json
    (whole,) = attnsim("table", "--json", *given, "--keys", 16).json
    assert abs(cut["entropy_mean"] - whole["entropy_mean"]) < 5 * 0.25 * (2 / 1000) ** 0.5
