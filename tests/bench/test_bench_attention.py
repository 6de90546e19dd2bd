"""Both sides of the attention items do the same work."""

import numpy as np
import pytest

from attnsim.bench import attention

SHAPE = (2, 64, 32)


def test_output_and_gradients_are_those_of_torch():
    pytest.importorskip("torch", reason="torch is not installed")
    output, gradients = attention.our_gradients(SHAPE)
    np.testing.assert_allclose(output.output, attention.torch_attention(SHAPE)[0].numpy(), atol=2e-6)
    for ours, theirs in zip(gradients, attention.torch_gradients(SHAPE), strict=True):
        np.testing.assert_allclose(ours, theirs[0].numpy(), atol=5e-6)


@pytest.mark.parametrize("shape", attention.SHAPES.values())
def test_the_limit_has_as_many_operations_as_attention(shape):
    heads, n, d = shape
    for products in (attention.FORWARD, attention.FORWARD + attention.GRADIENTS):
        assert products * heads * n * n * d % attention.SIDE**2 == 0
