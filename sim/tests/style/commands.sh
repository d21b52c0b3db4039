#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# commands.sh - ./run and ./test on a project of one file, with a package manager of
# straw in front of the real one: commands.sh ROOT; prints TAP.
set -u

root=$1
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT
place=$(readlink -f "$place")
tiny="$place/a checkout"
straw=$place/straw
log=$place/log
real_path=$PATH
number=0
unset CC CFLAGS LDFLAGS MAKEFLAGS DESTDIR

checkout() {
	rm -rf "$tiny" "$straw"
	mkdir -p "$tiny/.ci" "$tiny/sim" "$straw"
	cp "$root/run" "$root/test" "$tiny"
	cp "$root/.ci/setup.sh" "$tiny/.ci"
	cat >"$tiny/meson.build" <<-'END'
		project('tiny', 'c')
		subdir('sim')
	END
	cat >"$tiny/sim/meson.build" <<-'END'
		sim = executable('sim', 'main.c')
		test('says three', sim, args: ['a', 'b', 'c'])
	END
	cat >"$tiny/sim/main.c" <<-'END'
		#include <stdio.h>
		#include <unistd.h>
		int main(int count, char **values)
		{
			char folder[4096];
			printf("%d %s %s\n", count - 1, count > 1 ? values[1] : "-",
			       getcwd(folder, sizeof(folder)));
			return count == 4 ? 0 : count - 1;
		}
	END
}

# The same, built: first_and_second_run() has left one.
built_checkout() {
	rm -rf "$tiny" "$straw"
	cp -a "$place/built" "$tiny"
	mkdir "$straw"
}

# straw NAME COMMANDS - a command that notes that it was called.
straw() {
	printf '#!/bin/sh\necho "%s $*" >>"%s"\n%s\n' "$1" "$log" "$2" >"$straw/$1"
	chmod +x "$straw/$1"
}

# Sets 'status', 'out', and 'err' to what a command did with straw in its path.
try() {
	: >"$log"
	out=$(PATH="$straw:$real_path" "$@" 2>"$place/err" </dev/null)
	status=$?
	err=$(cat "$place/err")
}

# is WHAT CONDITION... - one line of TAP: whether the command CONDITION is true.
is() {
	number=$((number + 1))
	what=$1
	shift
	if "$@"; then
		echo "ok $number - $what"
	else
		echo "not ok $number - $what"
		printf '# status %s\n# out: %s\n# err: %s\n# log: %s\n' "$status" "$out" "$err" \
			"$(cat "$log")" | sed 's/^[^#]/# &/'
	fi
}

contains() {
	case $1 in
	*"$2"*) ;;
	*) return 1 ;;
	esac
}

no_packages_here() {
	for name in apt-get dpkg sudo; do
		straw $name 'exit 1'
	done
}

first_and_second_run() {
	checkout
	no_packages_here
	cd /
	try "$tiny/run" 'x  y'
	is "the first run builds and runs in the caller's folder" [ "$status $out" = "1 1 x  y /" ]
	is "and installs nothing that is there" [ ! -s "$log" ]
	cp -a "$tiny" "$place/built"

	for name in meson pkg-config cc; do
		straw $name 'exit 1'
	done
	try "$tiny/run" x y
	is "the second passes the status on" [ "$status $out" = "2 2 x /" ]
	is "asks for no tool but ninja" [ ! -s "$log" ]
	is "and says nothing of its own" [ -z "$err" ]

	ln -s "$tiny/run" "$place/link"
	try "$place/link" x
	is "a link to the command does as well" [ "$status $out" = "1 1 x /" ]
}

mistakes() {
	built_checkout
	no_packages_here
	echo 'int mistake' >>"$tiny/sim/main.c"
	try "$tiny/run" a b c
	is "a mistake in the sources fails" [ "$status" -eq 2 ]
	is "shows what the compiler says" contains "$err" "main.c"
	is "and runs nothing old" [ -z "$out" ]

	built_checkout
	echo 'mistake(' >>"$tiny/sim/meson.build"
	try "$tiny/run" a b c
	is "a mistake in a meson.build is shown" contains "$err" "sim/meson.build:"
	is "and costs no object file" [ -x "$tiny/build/sim/sim" ]

	built_checkout
	sed -i "s/, 'c'\]/]/" "$tiny/sim/meson.build"
	try "$tiny/test"
	is "a test that fails fails ./test" [ "$status" -ne 0 ]
	built_checkout
	try "$tiny/test"
	is "else it does not" [ "$status" -eq 0 ]
	is "and shows its summary" contains "$out" "Ok:                 1"
}

# Whatever an interruption left behind is not believed.
interruptions() {
	for damage in build.ninja meson-private/coredata.dat checkout .ninja_log; do
		built_checkout
		no_packages_here
		: >"$tiny/build/$damage"
		try "$tiny/run" a b c
		is "an empty $damage is made again" [ "$status" -eq 0 ]
	done
	rm -rf "$tiny/build"
	mkdir -p "$tiny/build/meson-private"
	: >"$tiny/build/meson-private/cmd_line.txt"
	try "$tiny/run" a b c
	is "a set-up that had only begun is begun again" [ "$status" -eq 0 ]

	mv "$tiny" "$place/b"
	tiny=$place/b
	try "$tiny/run" a b c
	is "a checkout may move with its build folder" [ "$status" -eq 0 ]
}

at_once() {
	checkout
	no_packages_here
	"$tiny/run" a b c >/dev/null 2>&1 &
	first=$!
	"$tiny/run" a b c >/dev/null 2>&1 &
	second=$!
	"$tiny/test" >/dev/null 2>&1
	third=$?
	wait $first && wait $second
	status=$?
	is "three at once do not disturb each other" [ "$status $third" = "0 0" ]
}

compilers() {
	built_checkout
	no_packages_here
	straw other-cc "exec $(command -v cc || command -v gcc) \"\$@\""
	try env CC=other-cc "$tiny/run" a b c
	is "another compiler compiles" contains "$(cat "$log")" "main.c"
	is "in a folder of its own" [ -x "$tiny/build-other-cc/sim/sim" ]
	try env CC=no-such-cc "$tiny/run"
	is "a compiler that is not there is named" contains "$err" "no-such-cc"
}

# meson is what this machine seems to lack.
packages() {
	checkout
	straw meson 'exit 127'
	straw id 'echo 1000'
	no_packages_here
	try "$tiny/run"
	is "without rights it fails" [ "$status" -eq 2 ]
	is "with one line" [ "$(wc -l <"$place/err")" -eq 1 ]
	is "that names what is missing" contains "$err" ": meson"

	straw id 'echo 0'
	try "$tiny/run"
	is "a failed installation fails" [ "$status $out" = "2 " ]
	try "$tiny/run"
	is "and is tried again" contains "$(cat "$log")" "apt-get install"

	straw apt-get "case \$1 in install) rm -f '$straw/meson' ;; esac"
	try "$tiny/run" a b c
	is "for root apt-get installs" [ "$status" -eq 0 ]
	is "what is missing and no more" contains "$(grep 'apt-get install' "$log")" "300 meson"
	is "without sudo" [ "$(grep -c '^sudo' "$log")" -eq 0 ]

	rm -rf "$tiny/build"
	straw meson 'exit 127'
	straw id 'echo 1000'
	# shellcheck disable=SC2016 # expanded by the command of straw
	straw sudo '[ "$1" != -n ] || shift; exec "$@"'
	try "$tiny/run" a b c
	is "for others it does so through sudo" [ "$status" -eq 0 ]
}

first_and_second_run
mistakes
interruptions
at_once
compilers
[ ! -d /etc/apt ] || packages
echo "1..$number"
