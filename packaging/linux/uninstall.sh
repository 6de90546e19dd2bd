#!/bin/sh
# Takes attnsim away, with its settings and its cache. What you saved yourself stays.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
list=$here/installed.txt
[ -f "$list" ] || { echo "attnsim: $list is missing, so nothing is known of this installation" >&2; exit 2; }
noted=$(cat "$list")
echo "$noted" | while read -r path; do
    if [ -L "$path" ] || [ -f "$path" ]; then rm -f "$path"; fi
done
rm -rf "$here/_internal"
rm -f "$here/attnsim" "$list"
data=${XDG_DATA_HOME:-$HOME/.local/share}
made() { echo "$noted" | grep -qxF "$1"; }
# The system's lists of types and starters: brought up to date, or taken away where only attnsim had them.
if [ -d "$data/mime" ]; then
    if made "$data/mime" && [ -z "$(ls "$data/mime/packages" 2>/dev/null)" ]; then
        rm -rf "$data/mime"
    elif command -v update-mime-database >/dev/null 2>&1; then
        update-mime-database "$data/mime" >/dev/null 2>&1 || true
    fi
fi
if [ -d "$data/applications" ]; then
    if made "$data/applications" && [ -z "$(find "$data/applications" -name '*.desktop')" ]; then
        rm -f "$data/applications/mimeinfo.cache"
    elif command -v update-desktop-database >/dev/null 2>&1; then
        update-desktop-database "$data/applications" >/dev/null 2>&1 || true
    fi
fi
# what was on the screen last; sessions, presets and lessons of your own stay
if [ "${1:-}" != --keep-data ]; then
    kept=$data/attnsim/attnsim
    rm -f "$kept/last.attnsim" "$kept"/session-*.attnsim
    rmdir "$kept" "$data/attnsim" 2>/dev/null || true
fi
# deepest first, and only those that were made for attnsim and are empty now
echo "$noted" | awk '{print length, $0}' | sort -rn | cut -d' ' -f2- | while read -r path; do
    if [ -d "$path" ]; then rmdir "$path" 2>/dev/null || true; fi
done
if [ "${1:-}" != --keep-data ]; then
    rm -rf "${XDG_CACHE_HOME:-$HOME/.cache}/attnsim" "${XDG_CONFIG_HOME:-$HOME/.config}/attnsim"
    # folders that the program made on its way there, if nobody else uses them
    rmdir "${XDG_CACHE_HOME:-$HOME/.cache}" "${XDG_CONFIG_HOME:-$HOME/.config}" 2>/dev/null || true
    echo "attnsim is gone"
fi
