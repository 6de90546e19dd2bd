"""What `attnsim self-test` asks of Qt."""

import pytest

from attnsim.gui import self_test
from attnsim.labs import LABS


def test_every_lab_is_drawn(qapp, own_settings):
    found = dict(self_test.self_test())
    assert {f"lab {lab}" for lab in LABS} <= set(found)
    assert found["fonts"] == "Inter"


def test_a_blank_window_is_a_finding(qapp, own_settings, monkeypatch):
    monkeypatch.setattr(self_test, "_colours", lambda _window: 3)
    with pytest.raises(ValueError, match="the window of walk is blank: 3 colours"):
        dict(self_test.self_test())


def test_a_file_that_cannot_be_opened_is_a_finding(qapp, own_settings, tmp_path):
    path = tmp_path / "vectors.npz"
    path.write_bytes(b"no vectors")
    with pytest.raises(ValueError, match="vectors"):
        dict(self_test.self_test(path))
