import os
import stat

import pytest

from attnsim.files import atomic
from attnsim.files.session import read, write
from attnsim.files.state import State
from attnsim.scenario import Scenario

STATE = State(scenario=Scenario(dim=64, rho=0.25), title="Übung", notes="三", hidden=("rho",), locked=("dim",))


@pytest.mark.parametrize("name", ["lesson.attnsim", "Übung – 三.attnsim", "a b'c\".attnsim"])
def test_a_session_comes_back_whatever_its_name(tmp_path, name):
    assert write(tmp_path / name, STATE) == tmp_path / name
    assert read(tmp_path / name) == (STATE, ())
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_name_without_suffix_gets_one(tmp_path):
    assert write(tmp_path / "lesson", STATE).name == "lesson.attnsim"


@pytest.mark.parametrize("call", ["fsync", "replace", "fdopen"])
def test_a_full_disk_leaves_the_old_session_whole(tmp_path, monkeypatch, call):
    path = write(tmp_path / "lesson.attnsim", STATE)

    def full(*_given):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(atomic.os, call, full)
        with pytest.raises(ValueError, match=r"^lesson\.attnsim cannot be written: No space left on device$"):
            write(path, State())
    assert read(path) == (STATE, ())
    assert [each.name for each in tmp_path.iterdir()] == ["lesson.attnsim"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_told_in_a_sentence(tmp_path):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    with pytest.raises(ValueError, match=r"lesson\.attnsim cannot be written: Permission denied"):
        write(tmp_path / "lesson.attnsim", STATE)
    tmp_path.chmod(stat.S_IRWXU)


@pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX")
def test_permissions_and_links_stay(tmp_path):
    path = write(tmp_path / "lesson.attnsim", STATE)
    path.chmod(0o640)
    (tmp_path / "link.attnsim").symlink_to(path)
    write(tmp_path / "link.attnsim", State())
    assert (tmp_path / "link.attnsim").is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert read(path) == (State(), ())


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("none.attnsim", "none.attnsim cannot be opened: No such file"), ("folder.attnsim", "is no regular file")],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path, name, sentence):
    (tmp_path / "folder.attnsim").mkdir()
    with pytest.raises(ValueError, match=sentence) as caught:
        read(tmp_path / name)
    assert str(tmp_path) not in str(caught.value)


def test_a_session_of_bytes_at_random_is_refused(tmp_path):
    (tmp_path / "bad.attnsim").write_bytes(bytes(range(256)))
    with pytest.raises(ValueError, match="no state"):
        read(tmp_path / "bad.attnsim")
