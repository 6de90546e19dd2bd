"""What attention refuses, and that it says which argument, what was wanted and what came."""

import numpy as np
import pytest

from attnsim.kernels.attention import attention
from attnsim.kernels.attention_gradients import attention_gradients
from attnsim.kernels.attention_inputs import format_name

Q, K, V = np.ones((2, 4, 5, 3)), np.ones((2, 2, 7, 3)), np.ones((2, 2, 7, 6))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"q": np.ones(3)}, r"^q needs shape \(n, d\), \(heads, n, d\) or \(batch, heads, n, d\); got \(3,\)$"),
        ({"q": np.ones((1, 2, 4, 5, 3))}, r"^q needs shape .*; got \(1, 2, 4, 5, 3\)$"),
        ({"q": np.ones((2, 4, 5, 0)), "k": np.ones((2, 2, 7, 0))}, r"^q needs a component .*got shape \(2, 4, 5, 0\)$"),
        ({"q": Q + 1j}, "^q needs real numbers of 64 bits at most; got dtype complex128$"),
        ({"q": [[1.0, 2.0], [3.0]]}, "^q needs an array; got sequences of unequal length$"),
        ({"k": np.ones((2, 2, 7, 4))}, r"^k needs shape \(2, kv_heads, m, 3\); got \(2, 2, 7, 4\)$"),
        ({"k": np.ones((2, 7, 3))}, r"^k needs shape \(2, kv_heads, m, 3\); got \(2, 7, 3\)$"),
        ({"k": np.ones((1, 2, 7, 3))}, r"^k needs shape \(2, kv_heads, m, 3\); got \(1, 2, 7, 3\)$"),
        ({"k": np.ones((2, 3, 7, 3))}, r"^k needs a number of heads that divides the 4 of q; got 3 \(shape \(2, 3, 7"),
        ({"k": np.ones((2, 0, 7, 3))}, "^k needs a number of heads that divides the 4 of q; got 0"),
        ({"v": np.ones((2, 2, 6, 6))}, r"^v needs shape \(2, 2, 7, value_width\); got \(2, 2, 6, 6\)$"),
        ({"v": np.ones((2, 4, 7, 6))}, r"^v needs shape \(2, 2, 7, value_width\); got \(2, 4, 7, 6\)$"),
        ({"mask": np.ones((5, 6), bool)}, r"^mask needs a shape .*heads, n, m\) = \(2, 4, 5, 7\); got \(5, 6\)$"),
        ({"mask": np.ones((5, 7))}, "^mask needs dtype bool, True = may attend .*; got float64$"),
        ({"bias": np.ones((2, 2, 5, 7))}, r"^bias needs a shape .* = \(2, 4, 5, 7\); got \(2, 2, 5, 7\)$"),
        ({"bias": np.ones((1, 2, 4, 5, 7))}, "^bias needs a shape"),
        ({"bias": np.ones((5, 7), bool)}, "^bias needs real numbers of 64 bits at most; got dtype bool$"),
        ({"causal": True}, "^causal must be one of False, 'top-left', 'bottom-right'; got True$"),
        ({"causal": "left"}, "^causal must be one of False, 'top-left', 'bottom-right'; got 'left'$"),
        ({"causal": None}, "^causal must be one of .*; got None$"),
        ({"window": -1}, "^window must be a whole number of keys, 0 or more; got -1$"),
        ({"window": 1.5}, "^window must be .*; got 1.5$"),
        ({"window": True}, "^window must be .*; got True$"),
        ({"scale": np.nan}, "^scale must be a finite number; got nan$"),
        ({"scale": "big"}, "^scale must be a finite number; got 'big'$"),
        ({"softcap": 0.0}, "^softcap must be a finite number above 0; got 0.0$"),
        ({"softcap": np.inf}, "^softcap must be a finite number above 0; got inf$"),
        ({"dtype": "int8"}, "^dtype must be one of float16, .*fp8_e5m2; got int8$"),
        ({"dtype": None}, "^dtype must be one of .*; got None$"),
        ({"accumulate": "float64"}, "^accumulate must be one of 'float32', 'format', 'fused'; got 'float64'$"),
    ],
)
def test_what_cannot_be_is_refused_by_name_with_what_was_wanted_and_what_came(change, sentence):
    arguments = {"q": Q, "k": K, "v": V} | change
    with pytest.raises(ValueError, match=sentence):
        attention(**arguments)


def test_gradients_need_values_and_a_gradient_of_the_shape_of_the_output():
    with pytest.raises(ValueError, match=r"^v must be given for its gradient; got None$"):
        attention_gradients(Q, K, None, np.ones((2, 4, 5, 6)))
    with pytest.raises(ValueError, match=r"^grad_output needs shape \(2, 4, 5, 6\); got \(2, 4, 5, 3\)$"):
        attention_gradients(Q, K, V, np.ones((2, 4, 5, 3)))


@pytest.mark.parametrize(
    ("dtype", "name"),
    [("float32", "fp32"), (np.float64, "fp64"), (np.dtype("f2"), "fp16"), ("bfloat16", "bf16"), ("tf32", "tf32")],
)
def test_a_format_has_the_names_of_numpy_and_of_the_choices(dtype, name):
    assert format_name(dtype) == name
