import pytest

from attnsim.gui import measure


@pytest.mark.slow
def test_all_promised_numbers_are_measured(qapp, monkeypatch):
    monkeypatch.setattr(measure, "FRAMES", 30)
    monkeypatch.setattr(measure, "WARM_FRAMES", 5)
    monkeypatch.setattr(measure, "WARM_STARTS", 1)
    numbers = measure.measure()
    promised = {"frame_cpu_ms", "drag_values_shown", "drag_values_total", "slider_to_picture_ms", "first_window_ms"}
    assert promised | {"rss_growth_mb", "first_picture_ms"} == set(numbers)
    assert 0 < numbers["drag_values_shown"] <= numbers["drag_values_total"] == 90
    assert 0 < numbers["first_window_ms"] <= numbers["first_picture_ms"]
