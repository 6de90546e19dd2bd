"""The View: what is marked."""

import pytest

from attnsim.view import View


def test_a_seventh_key_is_refused():
    with pytest.raises(ValueError, match="at most 6 keys, not 7"):
        View(marked=tuple(range(7)))


def test_the_hovered_key_stands_behind_the_marked_ones_once():
    assert View(marked=(3, 1), hovered=9).highlighted == (3, 1, 9)
    assert View(marked=(3, 1), hovered=1).highlighted == (3, 1)
    assert View(marked=(0, 1, 2, 3, 4, 5), hovered=9).highlighted == (0, 1, 2, 3, 4, 9)
