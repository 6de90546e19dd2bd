"""Attention, forward and with its gradients, against torch."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.bench.item import Growth, Item

Shape = tuple[int, int, int]

SHAPES: dict[str, Shape] = {"a": (8, 512, 64), "b": (8, 2048, 64), "c": (1, 4096, 128)}  # heads, n, d
TARGET = 0.85
FORWARD, GRADIENTS = 2, 5  # matrix products of 2 n n d operations a head
SIDE = 1024  # of the result of the product that is the limit


@cache
def arrays(shape: Shape) -> list[NDArray[np.float32]]:
    """Return q, k, v and a gradient by the output."""
    generator = np.random.default_rng(7)
    return [generator.standard_normal(shape).astype(np.float32) for _part in range(4)]


@cache
def tensors(shape: Shape) -> list[Any]:
    """Return the same for torch, with a batch of one."""
    import torch

    q, k, v, incoming = (torch.from_numpy(x)[None] for x in arrays(shape))
    return [q.requires_grad_(), k.requires_grad_(), v.requires_grad_(), incoming]


def our_attention(shape: Shape) -> object:
    """Attention."""
    from attnsim.kernels.attention import attention

    return attention(*arrays(shape)[:3])


def our_gradients(shape: Shape) -> object:
    """Attention and then its gradients."""
    from attnsim.kernels.attention_gradients import attention_gradients

    return our_attention(shape), attention_gradients(*arrays(shape))


def torch_attention(shape: Shape) -> object:
    """Attention with torch."""
    import torch

    with torch.no_grad():
        return torch.nn.functional.scaled_dot_product_attention(*tensors(shape)[:3])


def torch_gradients(shape: Shape) -> object:
    """Attention and then its gradients with torch."""
    import torch

    *inputs, incoming = tensors(shape)
    return torch.autograd.grad(torch.nn.functional.scaled_dot_product_attention(*inputs), inputs, incoming)


@cache
def factors(terms: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return two matrices whose product has SIDE * SIDE sums of so many terms."""
    generator = np.random.default_rng(8)
    a, b = (generator.standard_normal(shape).astype(np.float32) for shape in ((SIDE, terms), (terms, SIDE)))
    return a, b


def one_product(shape: Shape, products: int) -> object:
    """Multiply two matrices with as many operations as the products of attention have together."""
    heads, n, d = shape
    a, b = factors(products * heads * n * n * d // SIDE**2)
    return a @ b


def _items(name: str, shape: Shape) -> tuple[Item, ...]:
    case = "heads {}, n {}, d {}".format(*shape)
    return (
        Item(
            f"attention_{name}", "torch scaled_dot_product_attention", TARGET,
            lambda: our_attention(shape), lambda: torch_attention(shape), case=case, needs="torch",
            limit="sgemm of the same work", limit_run=lambda: one_product(shape, FORWARD),
        ),
        Item(
            f"attention_grad_{name}", "torch scaled_dot_product_attention with backward", TARGET,
            lambda: our_gradients(shape), lambda: torch_gradients(shape), case=case, needs="torch",
            limit="sgemm of the same work", limit_run=lambda: one_product(shape, FORWARD + GRADIENTS),
        ),
    )  # fmt: skip


def _growth(keys: int) -> int:
    q, k, v, _incoming = arrays((1, keys, 64))
    from attnsim.kernels.attention import attention

    attention(q[:, :256], k, v)
    return 256 * keys


ITEMS = tuple(item for name, shape in SHAPES.items() for item in _items(name, shape))
GROWTHS = (Growth("attention of 256 queries, d = 64", "m", "score", (64, 512, 4096, 32_768), _growth),)
