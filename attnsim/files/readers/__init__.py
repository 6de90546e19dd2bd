"""Readers: a file a format, and a line in `READERS`."""

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np

from attnsim.files.readers import arrays, metadata, partner, shapes
from attnsim.files.readers.entries import Entry, Form, Reader, ReadError, printable
from attnsim.files.readers.npy import open_npy
from attnsim.files.readers.npz import open_npz
from attnsim.vectors import Layer, Vectors
from attnsim.words import _

READERS: dict[str, Reader] = {
    ".npy": Reader(open_npy, single=True),
    ".npz": Reader(open_npz),
}

MOST_BYTES = 4 * 2**30  # of all q and k together, as float64


def load_vectors(path: str | os.PathLike[str], *more_paths: str | os.PathLike[str]) -> Vectors:
    """Read real queries and keys from a file, executing and writing nothing.

    Parameters
    ----------
    path : path
        A `.npz` with arrays named q and k (or query and key), any prefix being the layer's name; or one `.npy`,
        whose partner is looked for beside it (q.npy and k.npy, head3_q.npy and head3_k.npy, ...).
    *more_paths : path
        The other `.npy`, where it is not found by its name.

    Returns
    -------
    Vectors
        A layer each; of a batch above 1 each member becomes a layer of its own, since statistics of one sequence
        must not mix with another's. A file of four axes that could be read in two ways is read as
        (batch, heads, rows, dim), and the note says so.

    Raises
    ------
    ValueError
        One sentence with the file's name, what was wanted and what came.

    Notes
    -----
    Limits: dim and keys as in `Scenario`, `MOST_BYTES` in all, and those of the containers
    (`npz.MOST_RATIO`, `npy.LONGEST_HEADER`).
    """
    paths = [Path(path), *map(Path, more_paths)]
    with _translated(_shown(paths[0])), ExitStack() as stack:
        return _load(paths, stack)


@contextmanager
def _translated(file: str) -> Iterator[None]:
    """Turn whatever goes wrong while reading into one sentence without a path."""
    try:
        yield
    except ReadError:
        raise
    except MemoryError as error:
        raise ReadError(_("{file} needs more memory than there is").format(file=file)) from error
    except OSError as error:
        where = _shown(Path(os.fsdecode(error.filename))) if isinstance(error.filename, (str, bytes)) else file
        reason = error.strerror or type(error).__name__
        raise ReadError(_("{file} cannot be opened: {reason}").format(file=where, reason=reason)) from error
    except Exception as error:  # a damaged file may break any library it passes through
        raise ReadError(
            _("{file} is damaged, or not what its name says ({reason})").format(file=file, reason=type(error).__name__)
        ) from error


def _shown(path: Path) -> str:
    return printable(path.name) or _("the path")


def _load(paths: list[Path], stack: ExitStack) -> Vectors:
    readers = [_reader(path) for path in paths]
    file, note = _shown(paths[0]), ""
    if len(paths) > 2 or (len(paths) == 2 and not all(reader.single for reader in readers)):
        raise ReadError(
            _("{file} came with {count} more; one .npz was wanted, or one .npy of q and one of k").format(
                file=file, count=len(paths) - 1
            )
        )
    first = stack.enter_context(readers[0].open(paths[0]))
    if not readers[0].single:
        pairs, note = arrays.pairs_of(first, file)
        return _vectors(pairs, metadata.read_said(first, file), printable(paths[0].stem), note)
    if len(paths) == 1:
        _check_alone(first[0])
        q_path, k_path, note = partner.beside(paths[0])
    else:
        q_path, k_path = partner.in_order(*paths)
    q, k = (stack.enter_context(_reader(path).open(path))[0] for path in (q_path, k_path))
    return _vectors([arrays.Pair(_("layer 0"), q, k)], metadata.Said(), printable(q_path.stem), note)


def _reader(path: Path) -> Reader:
    """Return the reader for a path, after a look at what lies there."""
    file = _shown(path)
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise ReadError(_("{file} is a folder, where a file was wanted").format(file=file))
    if not stat.S_ISREG(mode):  # reading a pipe or a device may never end
        raise ReadError(_("{file} is no regular file").format(file=file))
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise ReadError(
            _("{file} cannot be read: the formats that can be read are {formats}").format(
                file=file, formats=", ".join(READERS)
            )
        )
    return reader


def _check_alone(entry: Entry) -> None:
    """Refuse a single array that could not be q or k, before its partner is looked for."""
    form = entry.describe()
    shapes.check_form(entry, form)
    scores = arrays.looks_like_scores(entry.label, form.shape)
    if scores and not arrays.split_name(entry.name)[0]:
        raise ReadError(scores)


def _vectors(pairs: list[arrays.Pair], said: metadata.Said, stem: str, note: str) -> Vectors:
    """Check every layer, then read all."""
    layouts = [shapes.layout_of(pair)[1] for pair in pairs]
    _check_total([entry.describe() for pair in pairs for entry in (pair.q, pair.k)], pairs[0].q.file)
    layers = []
    for pair in pairs:
        scale, causal = said.of(pair.name)
        batches = list(shapes.read_pair(pair))
        for index, (q, k) in enumerate(batches):
            name = pair.name if len(batches) == 1 else _batch_name(pair.name, index, alone=len(pairs) == 1)
            layers.append(Layer(name, q, k, scale, causal))
    notes = dict.fromkeys([note, said.note, *layouts])
    tokens = said.tokens
    if tokens and any(len(tokens) != layer.k.shape[1] for layer in layers):
        tokens = ()
        notes[_("tokens were left out, for they are not one a key")] = None
    title = said.model or stem
    # the first query of a causal model sees one key: its last one shows something
    row = layers[0].queries - 1 if layers[0].causal else 0
    return Vectors(title, tuple(layers), row=row, tokens=tokens, note="; ".join(filter(None, notes)))


def _batch_name(layer: str, index: int, alone: bool) -> str:
    if alone:
        return _("batch {index}").format(index=index)
    return _("{layer}, batch {index}").format(layer=layer, index=index)


def _check_total(forms: list[Form], file: str) -> None:
    size = sum(form.count for form in forms) * np.dtype(np.float64).itemsize
    if size > MOST_BYTES:
        raise ReadError(
            _("{file} holds q and k of {size} bytes as float64; at most {most} are read").format(
                file=file, size=size, most=MOST_BYTES
            )
        )
