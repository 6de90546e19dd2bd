#!/bin/sh
# Prints the system's libraries that the program in a folder asks for and that are not there: file, Debian package.
set -eu
inside=$1/_internal
names=$(cat "$(dirname "$0")/libraries.txt")
files=$(find "$inside" -name '*.so*' -type f)
# one question for all files: the loader's answer names what it does not find
LD_LIBRARY_PATH=$inside ldd $files 2>/dev/null | awk '/not found/ {print $1}' | sort -u | while read -r library; do
    # what another part of the program brings along is found by that part
    [ -n "$(find "$inside" -name "$library" -print -quit)" ] && continue
    package=$(echo "$names" | awk -v file="$library" '$1 == file {print $2}')
    echo "$library ${package:-?}"
done
