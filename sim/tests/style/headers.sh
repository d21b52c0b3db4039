#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# headers.sh - every header compiles alone, so that no order of includes matters:
# headers.sh ROOT BUILD.  Those of tests may need what their program is compiled with.
set -u

root=$1
build=$2
flags=$(pkg-config --cflags glib-2.0 jansson check) || {
	echo "skipped: needs pkg-config and the libraries' headers"
	exit 77
}
bad=0

for header in $(cd "$root" && find sim backends -name '*.h' ! -path '*/tests/*' | LC_ALL=C sort); do
	# shellcheck disable=SC2086 # a list of flags
	${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -Wno-unused-parameter -fsyntax-only $flags \
		-I "$root/sim" -I "$root/backends" -I "$build/sim" -I "$build/backends" \
		-include "$root/$header" -x c /dev/null || {
		echo "$header does not compile alone"
		bad=1
	}
done
exit $bad
