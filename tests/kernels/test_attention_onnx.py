"""Attention against the cases of ONNX's Attention operator, in its 1.23 meaning.

The adapter below supplies what the operator has and the signature has not: heads packed side by side (3-D inputs), a
past to put before the keys, padding counted per batch, masks shorter than the keys, and scores as an output.
Left out: one case, which gives the answers of the meaning before 1.23 (soft-cap after the mask, not before).
`softmax_precision` asks for more than float32 in one case, and is met within the tolerance.
"""

import json

import numpy as np
import pytest

from attnsim.kernels.attention import attention

OLD = "test_attention_3d_with_past_and_present_qk_matmul_softcap__old_spec_pb"


def split(x, heads):
    """(batch, rows, heads * width) -> (batch, heads, rows, width)."""
    return x if x.ndim == 4 else x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)


def rules(mask, keys, offset, n, attributes):
    """Return the options that say what mask, causality and window hide."""
    options = {}
    if mask is not None:
        short = keys - mask.shape[-1]
        hidden = False if mask.dtype == bool else -np.inf
        mask = np.pad(mask, [(0, 0)] * (mask.ndim - 1) + [(0, max(0, short))], constant_values=hidden)[..., :keys]
        options["mask" if mask.dtype == bool else "bias"] = mask
    causal, window = attributes.get("is_causal"), attributes.get("left_window_size", -1)
    if offset not in (0, keys - n):  # a past before more new keys than queries is neither of the two corners
        distance = np.arange(n)[:, None] + offset - np.arange(keys)
        seen = (distance >= 0) | (not causal)
        options["mask"] = options.get("mask", True) & seen & ((distance <= window) | (window < 0))
        return options
    if causal:
        options["causal"] = "bottom-right" if offset == keys - n else "top-left"
    if window >= 0:
        assert offset == 0 or causal
        options["window"] = window
    return options


def scores(q, k, mode, plain, capped, full, dtype):
    """Return the scores the operator gives out, read back from weights and logsumexp."""
    options = {0: plain, 1: plain | capped, 2: plain | capped | full, 3: plain | capped | full}[mode]
    got = attention(q, k, return_weights=True, dtype=dtype, **options)
    if mode == 3:
        return got.weights
    with np.errstate(divide="ignore"):
        return np.log(got.weights) + got.logsumexp[..., None]


def run(case, z):
    """Return the outputs of a case by name."""
    attributes, dtype = case["attributes"], "float32"
    if case["lowp"]:
        dtype = "bfloat16" if "bf16" in case["name"] else "float16"
    q, k, v = z["in_Q"], z["in_K"], z["in_V"]
    packed = q.ndim == 3
    q = split(q, attributes.get("q_num_heads"))
    k, v = (split(x, attributes.get("kv_num_heads")) for x in (k, v))
    offset = 0
    if "in_past_key" in z:
        offset = z["in_past_key"].shape[2]
        k, v = (np.concatenate([z[f"in_past_{name}"], x], axis=2) for name, x in (("key", k), ("value", v)))
    n, keys = q.shape[2], k.shape[2]
    plain = {"scale": attributes["scale"]} if "scale" in attributes else {}
    capped = {"softcap": attributes["softcap"]} if attributes.get("softcap") else {}
    mask = z.get("in_attn_mask")
    if "in_nonpad_kv_seqlen" in z:
        parts = []
        for b, kept in enumerate(z["in_nonpad_kv_seqlen"]):
            own = mask if mask is None else np.broadcast_to(mask, (len(q), *mask.shape[-3:]) if mask.ndim == 4 else
                                                            mask.shape)  # fmt: skip
            own = own[b] if own is not None and own.ndim == 4 else own
            full = rules(own, int(kept), int(kept) - n, n, attributes)
            parts.append(attention(q[b], k[b, :, :kept], v[b, :, :kept], dtype=dtype, **plain, **capped, **full).output)
        output = np.stack(parts)
    else:
        full = rules(mask, keys, offset, n, attributes)
        output = attention(q, k, v, dtype=dtype, **plain, **capped, **full).output
    found = {"Y": output.swapaxes(1, 2).reshape(len(output), n, -1) if packed else output}
    if "out_present_key" in z:
        found |= {"present_key": k, "present_value": v}
    if "out_qk_matmul_output" in z:
        mode = attributes.get("qk_matmul_output_mode", 0)
        found["qk_matmul_output"] = scores(q, k, mode, plain, capped, full, dtype)
    return found


@pytest.fixture(scope="module")
def cases(shared_folder):
    folder = shared_folder / "reference" / "onnx_attention"
    index = json.loads((folder / "index.json").read_text())
    found = []
    for case in index["cases"]:
        if (folder / case["file"]).exists():
            with np.load(folder / case["file"], allow_pickle=False) as z:
                found.append((case, dict(z)))
    return found


def test_every_public_case_is_there_and_one_is_left_out(cases):
    assert len(cases) == 49
    assert sum(case["name"] == OLD for case, _z in cases) == 1


def test_all_outputs_come_out(cases):
    for case, z in cases:
        if case["name"] == OLD:
            continue
        near = {"rtol": 2e-2, "atol": 2e-2} if case["lowp"] else {"rtol": 1e-3, "atol": 1e-5}
        found = run(case, z)
        assert set(found) == {name.removeprefix("out_") for name in z if name.startswith("out_")}, case["name"]
        for name, value in found.items():
            wanted = z[f"out_{name}"].astype(np.float64)
            np.testing.assert_allclose(value.astype(np.float64), wanted, **near, err_msg=f"{case['name']} {name}")
