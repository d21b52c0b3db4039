#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shell.sh - shellcheck has nothing to say about our shell scripts: shell.sh ROOT
set -eu

command -v shellcheck >/dev/null || {
	echo "skipped: needs shellcheck"
	exit 77
}
cd "$1"
shellcheck --external-sources --check-sourced run test .ci/run results/record
find sim backends -name '*.sh' -exec shellcheck {} +
