"""Attention and its gradients against answers computed in float64 from the definition by others."""

import json

import numpy as np
import pytest

from attnsim.kernels.attention import attention
from attnsim.kernels.attention_gradients import attention_gradients

CAUSAL = (False, "top-left", "bottom-right")
WRONG = {"mask_add_finfo_min"}  # torch's own gradients, whose error says nothing there


def tolerance(case, name, answer):
    """Twenty times torch's error, but not less than 2e-5 of the larger of 1 and the answer."""
    error = case.get(f"torch_{name}_err") or 0.0
    floor = 2e-5 * np.maximum(1.0, np.abs(answer))
    return floor if case["name"] in WRONG and name != "O" else np.maximum(20.0 * error, floor)


def options_of(case, z):
    return {
        "scale": float(z["scale"]),
        "softcap": float(z["softcap"]) or None,
        "causal": CAUSAL[int(z["causal"])],
        "window": None if z["window_left"] < 0 else int(z["window_left"]),
        "mask": z.get("mask_bool"),
        "bias": z.get("mask_add"),
        "dtype": case["dtype"],
        "accumulate": "fused",  # as torch, whose error is the measure in float16 and bfloat16
    }


@pytest.fixture(scope="module")
def cases(shared_folder):
    folder = shared_folder / "reference" / "sdpa_oracle"
    index = json.loads((folder / "index.json").read_text())
    found = []
    for case in index["cases"]:
        if (folder / "public" / case["file"]).exists():
            with np.load(folder / "public" / case["file"], allow_pickle=False) as z:
                found.append((case, dict(z)))
    return found


def test_every_public_case_is_there(cases):
    assert len(cases) == 57


def test_output_weights_and_logsumexp_come_out(cases):
    for case, z in cases:
        got = attention(z["Q"], z["K"], z["V"], return_weights=True, **options_of(case, z))
        assert (np.abs(got.output - z["O"]) <= tolerance(case, "O", z["O"])).all(), case["name"]
        np.testing.assert_allclose(got.logsumexp, z["lse"], rtol=2e-5, atol=2e-5, err_msg=case["name"])
        rounding = 1e-3 if case["dtype"] == "float16" else 2e-5  # float16 weights are stored so
        np.testing.assert_allclose(got.weights, z["P"], rtol=0, atol=rounding, err_msg=case["name"])


def test_gradients_come_out(cases):
    for case, z in cases:
        got = attention_gradients(z["Q"], z["K"], z["V"], z["dO"], **options_of(case, z))
        for name, ours in zip(("dQ", "dK", "dV"), got, strict=True):
            assert (np.abs(ours - z[name]) <= tolerance(case, name, z[name])).all(), (case["name"], name)


def test_float64_gives_all_but_the_rounding(cases):
    for case, z in cases:
        options = options_of(case, z) | {"dtype": "float64"}
        got = attention(z["Q"], z["K"], z["V"], **options)
        gradients = attention_gradients(z["Q"], z["K"], z["V"], z["dO"], **options)
        for name, ours in zip(("O", "lse", "dQ", "dK", "dV"), (got.output, got.logsumexp, *gradients), strict=True):
            np.testing.assert_allclose(ours, z[name], rtol=1e-10, atol=1e-10, err_msg=f"{case['name']} {name}")
