#!/bin/sh
# Installs attnsim for the user who runs this; as root, for nobody else either. No argument is needed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=${XDG_DATA_HOME:-$HOME/.local/share}
bin=$HOME/.local/bin
target=${ATTNSIM_FOLDER:-$HOME/.local/opt/attnsim}
list=$target/installed.txt

case $target in
/*) ;;
*) echo "attnsim: ATTNSIM_FOLDER must be an absolute path, not $target" >&2; exit 2 ;;
esac
if [ -e "$target" ] && [ ! -f "$list" ]; then
    echo "attnsim: $target is there and was not made by this installer; name another one with ATTNSIM_FOLDER" >&2
    exit 2
fi
if [ "$(uname -m)" != x86_64 ]; then
    echo "attnsim: this installer is for x86_64, and this machine is $(uname -m)" >&2
    exit 2
fi
[ ! -f "$list" ] || "$target/uninstall" --keep-data

# The folders that are made here are noted, so that the uninstaller takes away these and no others.
new=$(mktemp)
trap 'rm -f "$new"' EXIT
make() {
    if [ ! -d "$1" ]; then
        make "$(dirname "$1")"
        mkdir "$1"
        echo "$1" >> "$new"
    fi
}
put() { # file, target, mode
    make "$(dirname "$2")"
    cp "$1" "$2"
    chmod "$3" "$2"
    echo "$2" >> "$new"
}

make "$target"
cp -R "$here/program/." "$target/"
put "$here/uninstall" "$target/uninstall" 755
make "$bin"
ln -sf "$target/attnsim" "$bin/attnsim"
echo "$bin/attnsim" >> "$new"
(cd "$here/share" && find . -type f | sed 's|^\./||') | while read -r file; do
    put "$here/share/$file" "$data/$file" 644
done
sed -i "s|^Exec=attnsim|Exec=\"$target/attnsim\"|" "$data/applications/attnsim.desktop"
cp "$new" "$list"
for update in "update-desktop-database $data/applications" "update-mime-database $data/mime"; do
    # without these programs the desktop finds the files at its next start
    command -v "${update%% *}" >/dev/null 2>&1 && $update >/dev/null 2>&1 || true
done

missing=$("$here/missing" "$target")
echo "attnsim is in $target; to take it away: $target/uninstall"
case :$PATH: in
*:"$bin":*) ;;
*) echo "$bin is not on your path: start it as $bin/attnsim, or from the menu" ;;
esac
if [ -n "$missing" ]; then
    echo "The window needs libraries that this system lacks:"
    echo "$missing" | sed 's/^/  /'
    packages=$(echo "$missing" | awk '{print $2}' | sort -u | tr '\n' ' ')
    echo "On Debian or Ubuntu: sudo apt-get install $packages"
    exit 1
fi
