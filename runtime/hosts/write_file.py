"""A whole file on a host, replaced through a connection: the new one is there complete, or the old one is untouched.

One POSIX shell command does it. It gets the path and the content on its standard input, so neither has to be quoted
for a shell that nobody knows (fish and csh are login shells too), and no list of processes shows them:

    path content            # on standard input, one right behind the other
    sh -c SCRIPT gatewright SIZE-OF-PATH SIZE-OF-CONTENT

The content goes into a temporary file beside the file, which takes its place only when every byte has arrived and it
has the mode and the owner of the file (and its ACL and SELinux label where the host's tools can copy them).

- A symbolic link stays, and what it points to is replaced, as editors do; where that is missing it is created.
- A file that the user may not write is not replaced, though the folder would allow it: that is what `sudo` is for.
- Other hard links to the file keep the old content. A file that is a mount point cannot be replaced.
- The temporary file is removed on every way out but SIGKILL.
"""

from __future__ import annotations

from shlex import quote

from ..evidence.record import HostAnswer
from .connections import HostConnection

_SCRIPT = """
LC_ALL=C; export LC_ALL; beside= ; old= ; links=0;
fail() { echo "$1" >&2; exit 1; };
clean() { [ -z "$beside" ] || rm -f "$beside".??????; };
mode_and_owner() { stat -c "%a %u %g" "$1" 2>/dev/null || stat -f "%Mp%Lp %u %g" "$1"; };
trap clean EXIT; trap "exit 1" HUP INT TERM;

file=$(dd bs=1 count="$1" 2>/dev/null; echo x); file=${file%x};
[ "${#file}" -eq "$1" ] || fail "only a part of the path has arrived";
case "$file" in "~/"*) file=./${file#??};; esac;
while [ -h "$file" ]; do
  links=$((links + 1)); [ "$links" -le 40 ] || fail "too many levels of symbolic links";
  to=$(readlink -n "$file" && echo x) || fail "the symbolic link cannot be read"; to=${to%x};
  case "$to" in /*) file=$to;; *) file=${file%/*}/$to;; esac;
done;
folder=${file%/*};

ls -d "$folder/." >/dev/null || fail "the folder of the file is not there, or may not be entered";
if [ -e "$file" ]; then
  if [ -d "$file" ]; then fail "the path is a directory"; fi;
  [ -f "$file" ] || fail "the path is no regular file";
  [ -w "$file" ] || fail "permission denied: the file may not be written";
  old=$(mode_and_owner "$file") || fail "the mode and the owner of the file cannot be read";
fi;
beside=$folder/.gatewright.$$; new=$(mktemp "$beside.XXXXXX") || fail "the file cannot be replaced";
cat >"$new" || fail "the content cannot be written";
[ $(wc -c <"$new") -eq "$2" ] || fail "only a part of the content has arrived";

if [ -n "$old" ]; then
  cp --attributes-only --preserve=mode,ownership "$file" "$new" 2>/dev/null;
  chcon --reference="$file" "$new" 2>/dev/null;
  [ "$(mode_and_owner "$new")" = "$old" ] || { set -- $old; chown "$2:$3" "$new"; chmod "$1" "$new"; };
  [ "$(mode_and_owner "$new")" = "$old" ] || fail "the mode and the owner of the file cannot be kept";
else
  chmod =r,u+w "$new" || fail "the mode of the file cannot be set";
fi;
mv -f "$new" "$file" || fail "the file cannot be replaced"
"""
"""Without `'`, a backslash, or a `!` that a letter follows: the login shells' single quotes then hold it as it is.

`~/` is where commands start, so that it is the home of the user who logs in under `sudo` too. `chmod =r,u+w` is 0644
without the bits of the umask. `cp` and `chcon` are for what `chown` and `chmod` cannot say; hosts without GNU tools do
without. `clean` goes by the beginning of the name, since a signal may come before `mktemp` has said the whole of it.
"""

_AS_ROOT = """
if [ "$(id -u)" = 0 ] && [ -z "$(command -v sudo)" ]; then exec sh -c "$@"; fi;
exec sudo -n sh -c "$@"
"""
"""Runs what follows as root. `-n`: nobody is there to type a password. Root on a host without sudo needs none."""


def write_file(connection: HostConnection, path: str, content: str, *, sudo: bool = False) -> HostAnswer:
    """Replace a file by the UTF-8 bytes of `content`; exit status 0 when it is there, else standard error says why not.

    `path` is absolute or begins with `~/`. A new file gets mode 0644 without the bits of the umask. Raises
    `UnicodeEncodeError` for a lone surrogate, which has no bytes.
    """
    name, data = path.encode(), content.encode()
    return connection.run(_command(len(name), len(data), sudo), stdin=name + data)


def _command(name_size: int, size: int, sudo: bool) -> str:
    """The shell command for a path and a content of these numbers of bytes."""
    written = f"{_quoted(_SCRIPT)} gatewright {name_size} {size}"
    return f"sh -c {_quoted(_AS_ROOT)} gatewright {written}" if sudo else f"sh -c {written}"


def _quoted(script: str) -> str:
    return quote(" ".join(script.split()))
