"""Paths → runs: files, folders, standard input, archives; what cannot be read is named and the rest still comes."""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gatewright.compiler.findings import Report, UserError
from gatewright.runtime.evidence.sources import Reading, ReadRun, Run, UnreadableRun, read_runs
from gatewright.runtime.importers import FORMATS
from gatewright.runtime.importers.build import Given
from gatewright.runtime.importers.transcript import Format, Transcript, TranscriptFile

RECORD = {"job": {"status": "completed", "tasks": []}}
ATIF = {
    "schema_version": "ATIF-v1.5",
    "session_id": "s-1",
    "agent": {"name": "a"},
    "steps": [{"step_id": 1, "source": "agent", "message": "done"}],
}
USER = {"type": "user", "sessionId": "c-1", "message": {"role": "user", "content": "fix it"}}
ANSWER = {"type": "assistant", "sessionId": "c-1", "message": {"id": "m1", "content": [{"type": "text", "text": "ok"}]}}


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)


def write(name: str, *values: object) -> str:
    """A file of lines: strings and bytes as they are, anything else as JSON."""
    lines = [value if isinstance(value, bytes) else _text(value).encode("utf-8", "surrogatepass") for value in values]
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\n".join(lines))
    return name


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def read(*paths: str, reading: Reading | None = None, stdin: bytes = b"") -> list[Run]:
    return list(read_runs(paths, reading, io.BytesIO(stdin)))


def told(runs: list[Run]) -> list[tuple[str, str | None, list[str]]]:
    """Name, id (None: unreadable) and messages with their places."""
    return [
        (
            run.name,
            run.record.id if isinstance(run, ReadRun) else None,
            [f"{f.span.line}:{f.span.column} {f.message}" if f.span else f.message for f in run.findings],
        )
        for run in runs
    ]


# ---- what a file holds decides -----------------------------------------------------------------------------
def test_a_file_with_a_record_is_one_run():
    assert told(read(write("runs/run-7.json", RECORD))) == [("runs/run-7.json", "run-7.json", [])]


def test_a_record_may_be_laid_out_over_lines_whatever_the_name_of_its_file():
    text = json.dumps({"id": "a", **RECORD}, indent=2)
    for name in ("a.json", "a.jsonl", "a.txt", "a"):
        assert [run[1] for run in told(read(write(name, text)))] == ["a"]
    assert [run[1] for run in told(read("-", stdin=text.encode()))] == ["a"]


def test_a_file_of_lines_is_a_run_a_line_and_blank_lines_are_skipped_but_counted():
    write("all/runs.jsonl", RECORD, "", {"id": "x", **RECORD}, "  \r", RECORD, "")
    assert told(read("all/runs.jsonl")) == [
        ("all/runs.jsonl:1", "runs.jsonl:1", []),
        ("all/runs.jsonl:3", "x", []),
        ("all/runs.jsonl:5", "runs.jsonl:5", []),
    ]


@pytest.mark.parametrize("name", ["runs.json", "runs.log", "-"])
def test_lines_are_read_as_lines_under_any_name(name: str):
    data = b"\n" + json.dumps(RECORD).encode() + b"\n" + json.dumps(RECORD).encode() + b"\n"
    if name != "-":
        Path(name).write_bytes(data)
    shown = "<stdin>" if name == "-" else name
    assert told(read(name, stdin=data)) == [(f"{shown}:2", f"{shown}:2", []), (f"{shown}:3", f"{shown}:3", [])]


def test_one_record_on_standard_input_is_one_run():
    assert told(read("-", stdin=json.dumps(RECORD).encode() + b"\n")) == [("<stdin>", "<stdin>", [])]


def test_a_bom_and_crlf_are_no_matter():
    line = json.dumps(RECORD).encode()
    write("a.json", b"\xef\xbb\xbf" + line)
    write("b.jsonl", b"\xef\xbb\xbf" + line + b"\r", line + b"\r")
    assert [run[1] for run in told(read("a.json", "b.jsonl"))] == ["a.json", "b.jsonl:1", "b.jsonl:2"]


def test_the_bytes_of_a_lone_surrogate_are_kept():
    (run,) = read(write("a.json", b'{"job": {"resolution": "\xed\xa0\x80"}}'))
    assert isinstance(run, ReadRun)
    assert run.record.job.resolution == ("\ud800",)


def test_a_transcript_in_one_value_is_one_run():
    runs = read(write("t.json", ATIF))
    assert [(run.name, run.record.id, run.format) for run in runs if isinstance(run, ReadRun)] == [
        ("t.json", "s-1", "atif")
    ]


def test_lines_that_are_one_transcript_are_one_run():
    runs = read(write("session.jsonl", USER, ANSWER))
    assert [(run.name, run.record.id, run.format) for run in runs if isinstance(run, ReadRun)] == [
        ("session.jsonl", "c-1", "claude-code")
    ]


def test_a_transcript_whose_first_lines_do_not_tell_is_found_all_the_same():
    runs = read(write("session.jsonl", *[{"type": "summary", "summary": "…"}] * 50, USER, ANSWER))
    assert told(runs) == [("session.jsonl", "c-1", [])]


def test_transcripts_of_one_value_come_one_a_line_and_beside_records():
    runs = read(write("many.jsonl", ATIF, RECORD, {**ATIF, "session_id": None}))
    assert told(runs) == [
        ("many.jsonl:1", "s-1", []),
        ("many.jsonl:2", "many.jsonl:2", []),
        ("many.jsonl:3", "many.jsonl:3", []),
    ]


def test_several_transcripts_of_one_file_are_told_apart_by_their_lines(monkeypatch: pytest.MonkeyPatch):
    def a_run_a_line(file: TranscriptFile, report: Report) -> Iterator[Transcript]:
        file.warn(report, "an odd line", 3)
        for entry in file.entries:
            yield Transcript(line=entry.line, session="s" if entry.line == 3 else None)

    monkeypatch.setitem(FORMATS, "many", Format("many", "", lines=True, detect=lambda _: False, read=a_run_a_line))
    write("a.jsonl", {}, "", {})
    assert told(read("a.jsonl", reading=Reading(format="many"))) == [
        ("a.jsonl:1", "a.jsonl:1", ["3:1 an odd line"]),
        ("a.jsonl:3", "s", []),
    ]


def test_what_the_user_says_fills_transcripts_and_leaves_records_alone():
    given_by_user = Given(scenario="nginx", host="web-01", job_status="failed", resolution_status="partial")
    transcript, record = read(write("t.json", ATIF), write("r.json", RECORD), reading=Reading(given=given_by_user))
    assert isinstance(transcript, ReadRun)
    assert isinstance(record, ReadRun)
    job = transcript.record.job
    assert (transcript.record.scenario, job.status, job.resolution_status) == ("nginx", "failed", "partial")
    assert job.tasks is not None
    assert job.tasks[0].host == "web-01"
    assert (record.record.scenario, record.record.job.status) == (None, "completed")


# ---- paths -------------------------------------------------------------------------------------------------
def test_a_folder_gives_its_files_recursively_sorted_by_name():
    for name in ("runs/b.json", "runs/a/z.json", "runs/a/c.jsonl", "runs/a.json"):
        write(name, RECORD)
    write("runs/notes.txt", "no evidence")
    assert [run.name for run in read("runs")] == ["runs/a/c.jsonl:1", "runs/a/z.json", "runs/a.json", "runs/b.json"]


def test_paths_come_in_the_order_given():
    write("b.json", RECORD)
    write("a.json", RECORD)
    assert [run.name for run in read("b.json", "-", "a.json", stdin=b"{}")] == ["b.json", "<stdin>", "a.json"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("gone.json", "gone.json: no such file or folder"),
        ("empty", "empty: no *.json and no *.jsonl file in this folder"),
        ("a\0b", "a\\x00b: no file can have this name"),
    ],
)
def test_a_path_that_leads_nowhere_is_an_unreadable_run(path: str, message: str):
    Path("empty").mkdir()
    assert told(read(path)) == [(path, None, [message])]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_an_unreadable_run():
    Path(write("a.json", RECORD)).chmod(0)
    assert told(read("a.json")) == [("a.json", None, ["a.json: permission denied"])]


def test_a_file_that_fails_while_it_is_read_is_an_unreadable_run(monkeypatch: pytest.MonkeyPatch):
    class Failing(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

    assert told(list(read_runs(["-"], stdin=Failing()))) == [("<stdin>", None, ["<stdin>: input/output error"])]


def test_an_unknown_format_is_refused_before_anything_is_read():
    with pytest.raises(UserError) as error:
        read_runs(["gone.json"], Reading(format="atiff"))
    assert [(f.message, f.help) for f in error.value.findings] == [
        ("unknown run format “atiff”", "did you mean “atif”?")
    ]


# ---- broken files ------------------------------------------------------------------------------------------
def test_a_bad_line_of_an_archive_is_named_and_the_others_come():
    write("runs.jsonl", RECORD, '{"job": {"tasks"', {"job": 5}, [1], "noise", {"id": "z"}, b'{"job": "\xff"}', RECORD)
    assert told(read("runs.jsonl")) == [
        ("runs.jsonl:1", "runs.jsonl:1", []),
        ("runs.jsonl:2", None, ["2:17 not JSON: expected “:” behind the key, found the end of the line"]),
        ("runs.jsonl:3", None, ["3:9 job must be an object, not a number"]),
        ("runs.jsonl:4", None, ["4:1 not a run record, and no known transcript"]),
        ("runs.jsonl:5", None, ["5:1 not JSON: expected a value, found “noise”"]),
        ("runs.jsonl:6", None, ["6:1 not a run record, and no known transcript; it has the keys id"]),
        ("runs.jsonl:7", None, ["7:10 the byte 0xFF is not valid UTF-8 here"]),
        ("runs.jsonl:8", "runs.jsonl:8", []),
    ]


def test_a_bad_first_line_does_not_hide_the_others():
    assert told(read(write("runs.jsonl", '{"job', RECORD)))[1] == ("runs.jsonl:2", "runs.jsonl:2", [])


def test_a_file_of_one_truncated_line_is_named_with_its_line():
    assert [run[:2] for run in told(read(write("runs.jsonl", '{"job": {"tasks": [')))] == [("runs.jsonl:1", None)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "1:1 not JSON: expected a value, found nothing: the file is empty"),
        (b'{"job": {', "1:10 not JSON: expected a key in double quotes or “}”, found the end of the file"),
        (b"\xff\xfe{\0}\0", "1:1 the file is UTF-16, not UTF-8"),
        (b'{"a": "\xe9"}', "1:8 the byte 0xE9 is not valid UTF-8 here"),
        (b"[1, 2]", "1:1 not a run record, and no known transcript"),
        (b"{}", "1:1 not a run record, and no known transcript"),
        (
            b'{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}',
            "1:1 not a run record, and no known transcript; it has the keys a, b, c, d, e, f, …",
        ),
    ],
)
def test_a_file_that_is_no_run_says_why(data: bytes, message: str):
    assert told(read(write("a.json", data))) == [("a.json", None, [message])]


def test_the_help_for_an_unknown_layout_lists_the_known_formats():
    (run,) = read(write("a.json", {"batches": []}))
    assert run.findings[0].help == (
        "a run record is an object with “job”; known transcripts: atif (ATIF trajectory (Harbor)), "
        "claude-code (Claude Code session or stream-json (JSON lines))"
    )


def test_an_empty_archive_is_unreadable():
    assert told(read(write("a.jsonl", "", "  "))) == [("a.jsonl", None, ["a.jsonl: the file is empty"])]


def test_a_large_file_of_noise_is_one_unreadable_run():
    assert [run[:2] for run in told(read(write("a.jsonl", *["noise"] * 1000)))] == [("a.jsonl", None)]
    assert [run[:2] for run in told(read(write("b.jsonl", *[{"a": 1}] * 1000)))] == [("b.jsonl", None)]


def test_utf_16_lines_are_one_unreadable_run():
    write("a.jsonl", "\n".join([json.dumps(RECORD)] * 2).encode("utf-16"))
    assert told(read("a.jsonl")) == [("a.jsonl", None, ["1:1 the file is UTF-16, not UTF-8"])]


def test_noise_in_a_transcript_is_a_warning_with_its_line():
    (run,) = read(write("session.jsonl", USER, "npm warn deprecated", ANSWER, '{"type": "assis'))
    assert isinstance(run, ReadRun)
    assert told([run])[0][2] == [
        "2:1 this line is no JSON object and was skipped",
        "4:1 this line is no JSON object and was skipped",
    ]
    assert [(f.code, str(f.severity)) for f in run.findings] == [("GW701", "warning")] * 2
    assert run.findings[0].span is not None
    assert run.findings[0].span.source.line_text(2) == "npm warn deprecated"


def test_a_wrong_format_by_option_is_an_unreadable_run():
    assert told(read(write("a.json", RECORD), reading=Reading(format="atif"))) == [
        ("a.json", None, ["a.json: nothing in it is of the format atif (ATIF trajectory (Harbor))"])
    ]


def test_record_as_format_takes_an_object_without_evidence():
    assert told(read(write("a.jsonl", {"id": "z"}), reading=Reading(format="record"))) == [("a.jsonl:1", "z", [])]


# ---- digests, streaming ------------------------------------------------------------------------------------
def test_the_digest_is_that_of_the_bytes_the_run_was_read_from():
    line = json.dumps(RECORD).encode()
    write("a.json", line + b"\n")
    write("b.jsonl", line, line)
    session = json.dumps(USER).encode() + b"\n\n" + json.dumps(ANSWER).encode() + b"\r\n"
    write("c.jsonl", session)
    digests = [run.record.digest for run in read("a.json", "b.jsonl", "c.jsonl") if isinstance(run, ReadRun)]
    assert digests == [f"sha256:{hashlib.sha256(data).hexdigest()}" for data in (line + b"\n", line, line, session)]


def test_an_unreadable_run_has_the_digest_of_its_bytes():
    write("a.json", b"{")
    write("b.jsonl", RECORD, b"{")
    digests = [run.digest for run in read("a.json", "b.jsonl") if isinstance(run, UnreadableRun)]
    assert digests == [f"sha256:{hashlib.sha256(b'{').hexdigest()}"] * 2


def test_an_archive_is_read_as_its_runs_are_asked_for():
    class Endless(io.RawIOBase):
        """Never ends; counts the lines it gave."""

        lines = 0

        def readline(self, size: int | None = -1, /) -> bytes:
            self.lines += 1
            return json.dumps(RECORD).encode() + b"\n"

        def __next__(self) -> bytes:
            return self.readline()

    endless = Endless()
    runs: Iterator[Run] = read_runs(["-"], stdin=endless)  # type: ignore[arg-type]
    assert [next(runs).name for _ in range(50)] == [f"<stdin>:{number}" for number in range(1, 51)]
    assert endless.lines <= 51


# ---- whatever comes ----------------------------------------------------------------------------------------
PIECES = st.sampled_from(
    [
        b"{",
        b"}",
        b"[",
        b"]",
        b'"job"',
        b":",
        b",",
        b"\n",
        b"\r\n",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\0",
        b'"a"',
        b"1",
        b"null",
    ]
    + [json.dumps(value).encode() for value in (RECORD, ATIF, USER, ANSWER)]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.binary(max_size=60) | st.lists(PIECES, max_size=12).map(b"".join), st.sampled_from(["a.json", "a.jsonl", "-"])
)
def test_any_bytes_give_runs_or_say_why_not(data: bytes, name: str):
    Path("a.json").write_bytes(data)
    Path("a.jsonl").write_bytes(data)
    runs = read(name, stdin=data)
    assert runs
    for run in runs:
        if isinstance(run, UnreadableRun):
            assert any(finding.is_error for finding in run.findings)
