"""What `gatewright init` writes, made from answers: nothing is asked and no file is touched here."""

from __future__ import annotations

import json
import re

import pytest
import yaml

from gatewright.runtime.starter import (
    Act,
    AnswerError,
    Answers,
    read_bans,
    read_check,
    read_command,
    read_hosts,
    read_key,
    read_service,
    read_title,
    starter_files,
    title_of_key,
)


def answers(
    repair: Act, check: str = "test -e /srv/ok", semantics: str = "flat", bans: tuple[Act, ...] = ()
) -> Answers:
    chosen = "classic" if semantics == "classic" else "flat"
    return Answers("web-down", "Web down", ("web-01", "web-02"), repair, check, bans, chosen)


def finds(act: Act, invocation: str) -> bool:
    """Python's engine agrees with that of ECMAScript on all that these patterns hold."""
    return re.search(act.pattern, invocation, re.IGNORECASE) is not None


# ---- patterns --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "invocation", ["systemctl restart nginx", "/bin/systemctl reload nginx.service", "service nginx start"]
)
def test_a_service_is_started_anew_in_any_usual_way(invocation: str) -> None:
    assert finds(read_service("nginx"), invocation)


@pytest.mark.parametrize(
    "invocation",
    [
        "systemctl restart nginx-exporter",
        "systemctl status nginx",
        "systemctl restart nginx.timer",
        "service nginxx start",
    ],
)
def test_another_service_or_another_verb_does_not_count(invocation: str) -> None:
    assert not finds(read_service("nginx"), invocation)


def test_dots_in_the_name_of_a_service_are_dots() -> None:
    assert finds(read_service("php8.2-fpm.service"), "systemctl restart php8.2-fpm")
    assert not finds(read_service("php8.2-fpm"), "systemctl restart php8x2-fpm")


def test_a_command_is_found_by_its_first_words_without_its_wrappers() -> None:
    command = read_command("sudo -u www /usr/sbin/nginx -s reload")
    assert finds(command, "nginx -s reload -q")
    assert finds(command, "/opt/nginx/sbin/nginx -s reload")
    assert not finds(command, "nginx -s reloaded")
    assert not finds(command, "mynginx -s reload")
    assert command.example == "sudo -u www /usr/sbin/nginx -s reload"


def test_signs_of_patterns_in_a_command_stand_for_themselves() -> None:
    command = read_command(r"sed -i 's/a.b$/(c|d)*[e]{2}\^+?/' /etc/x.conf")
    assert finds(command, r"sed -i s/a.b$/(c|d)*[e]{2}\^+?/ /etc/x.conf")
    assert not finds(command, r"sed -i s/aXb$/(c|d)*[e]{2}\^+?/ /etc/x.conf")


def test_a_folder_that_is_forbidden_has_all_that_lies_in_it_forbidden() -> None:
    for ban in read_bans(["rm -rf /var/lib/db/"], read_service("db")):
        assert finds(ban, "rm -rf /var/lib/db/base/1")
        assert finds(ban, "rm -rf /var/lib/db")
        assert not finds(ban, "rm -rf /var/lib/db2")


def test_a_folder_need_not_have_a_path() -> None:
    (ban,) = read_bans(["rm -r logs/"], read_service("db"))
    assert finds(ban, "rm -r logs/")
    assert finds(ban, "rm -r logs/old")
    assert not finds(ban, "rm -r logs2")


def test_the_root_itself_is_no_folder_of_everything() -> None:
    (ban,) = read_bans(["rm -rf /"], read_service("db"))
    assert finds(ban, "rm -rf /")
    assert not finds(ban, "rm -rf /tmp/x")


@pytest.mark.parametrize("text", ["reboot", "sudo reboot", "systemctl reboot", "/sbin/reboot"])
def test_a_reboot_is_forbidden_in_both_ways(text: str) -> None:
    (ban,) = read_bans([text], read_service("nginx"))
    assert finds(ban, "/sbin/reboot -f")
    assert finds(ban, "systemctl reboot")
    assert not finds(ban, "reboot-required")


# ---- answers that are wrong ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "  ", "a\nb", "a\x1b[0m", "\udc80", "a/b", "a\\b", ".hidden", "-x", "x.", "k" * 101]
)
def test_a_key_must_do_for_a_file(text: str) -> None:
    with pytest.raises(AnswerError):
        read_key(text)


@pytest.mark.parametrize("text", ["störung", "a b", "it's", '"quoted"', "42"])
def test_a_key_may_be_any_other_name(text: str) -> None:
    assert read_key(text) == text


def test_hosts_stand_between_commas_or_blanks() -> None:
    assert read_hosts("web-01, web-02 db.example.test\t10.0.0.1") == ("web-01", "web-02", "db.example.test", "10.0.0.1")


@pytest.mark.parametrize("text", ["", ",", "a;b", "a`b", "web-01, web-01", "-x", "höst", "a\nb;"])
def test_hosts_have_plain_names_and_are_named_once(text: str) -> None:
    with pytest.raises(AnswerError):
        read_hosts(text)


@pytest.mark.parametrize("text", ["", "two words", "a;b", "nginx`", "größe", ".*", "a\n", ".service"])
def test_a_service_has_a_plain_name(text: str) -> None:
    with pytest.raises(AnswerError):
        read_service(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing",
        "A=1",
        "a && b",
        "a; b",
        "a | b",
        "'open",
        "a $(b)",
        "a\nb",
        "echo done",
        "echo",
        "/bin/echo",
        "''",
    ],
)
def test_a_repair_is_one_plain_command(text: str) -> None:
    with pytest.raises(AnswerError):
        read_command(text)


@pytest.mark.parametrize("text", ["", "# nothing", "test 'x", "a\nb", "\x07"])
def test_a_check_is_something_that_a_shell_can_run(text: str) -> None:
    with pytest.raises(AnswerError):
        read_check(text)


@pytest.mark.parametrize(
    ("ban", "repair"),
    [
        ("certbot", "certbot renew"),
        ("Certbot", "/usr/bin/certbot renew"),
        ("reboot", "sudo systemctl reboot"),
        ("rm -rf /var/log/", "rm -rf /var/log/app"),
        ("touch a", "touch 'a b'"),
        ("rm logs/", "rm logs/old"),
    ],
)
def test_the_repair_itself_cannot_be_forbidden(ban: str, repair: str) -> None:
    with pytest.raises(AnswerError, match="repairs"):
        read_bans([ban], read_command(repair))


@pytest.mark.parametrize("texts", [["reboot", "reboot"], ["reboot now", "reboot"], ["a", "sudo A -x"]])
def test_nothing_is_forbidden_twice(texts: list[str]) -> None:
    with pytest.raises(AnswerError, match="twice"):
        read_bans(texts, read_service("nginx"))


def test_a_title_is_any_line() -> None:
    assert read_title(' Nginx says "no" ` \\ ') == 'Nginx says "no" ` \\'
    with pytest.raises(AnswerError, match=r"U\+202E"):
        read_title("a\u202eb")


def test_a_title_can_be_made_from_the_key() -> None:
    assert title_of_key("nginx-broken_config") == "Nginx broken config"
    assert title_of_key("--") == "--"


# ---- files -----------------------------------------------------------------------------------------------------------


def test_flat_rules_look_at_the_first_host() -> None:
    files = starter_files(answers(read_service("nginx")))
    assert set(files) == {"web-down.gate", "runs/good.json"}
    assert "on web-01 run `test -e /srv/ok`\n" in files["web-down.gate"]
    assert json.loads(files["runs/good.json"])["host_answers"][0]["run"] == "test -e /srv/ok"


def test_classic_rules_have_their_check_in_a_playbook() -> None:
    check = """docker ps --format '{{.Names}}' | grep -q "wéb: #1" && echo \\o/"""
    files = starter_files(answers(read_service("nginx"), read_check(check), "classic"))
    assert 'ansible "validate.yml"\n' in files["web-down.gate"]
    text = files["validate.yml"]
    assert "cmd: !unsafe " in text, "braces are not Ansible's"
    (play,) = yaml.safe_load(text.replace("!unsafe ", ""))
    assert play["hosts"] == "web-01"
    assert play["tasks"][0]["ansible.builtin.shell"]["cmd"] == check


def test_rules_without_bans_have_no_test_of_bans() -> None:
    repair = read_service("nginx")
    assert "never matches" not in starter_files(answers(repair))["web-down.gate"]
    forbidden = starter_files(answers(repair, bans=read_bans(["reboot"], repair)))["web-down.gate"]
    assert 'expect fail "Did not run reboot"' in forbidden
