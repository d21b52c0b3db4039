# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
# setup.sh - what run, test and .ci/run share: install what is missing, build.
#
# Sourced, not run; the caller has set 'root' to the checkout's absolute path.
#
# The usual case asks nothing but ninja: a build folder of this checkout that
# builds is proof enough that everything is there.  Only when that fails is the
# machine asked for compiler, libraries and so on, and only what it lacks is
# installed.  So no note of an earlier run is ever believed, and it does not
# matter where that one was interrupted.

program=${0##*/}
versions="meson >= 1.0, glib >= 2.66, jansson >= 2.12, libmnl >= 1.0.4"
basics="gcc libc6-dev pkg-config ninja-build meson libglib2.0-dev libjansson-dev libmnl-dev check"
extras=
installed=
: "${root:?}"

# A closed stdin would hand its number to the next file that anybody opens.
{ true <&0; } 2>/dev/null || exec </dev/null

say() {
	printf '%s: %s\n' "$program" "$*" >&2
}

# 2, as for every bad input: the machine is not as this needs it.
die() {
	say "$@"
	exit 2
}

# The output is kept in 'output', for show_output() if it turns out to matter.
quietly() {
	output=$("$@" 2>&1 </dev/null 9<&-)
}

show_output() {
	printf '%s\n' "$output" >&2
}

# Whether the machine has what the Debian package NAME would give.  The thing
# itself is asked for, not the package: there are other ways to have it.
has() {
	case $1 in
	gcc) ${CC:-cc} --version ;;
	libc6-dev) echo '#include <stdio.h>' | ${CC:-cc} -E -x c - ;;
	ninja-build) ninja_name ;;
	meson) [ "$(meson --version | cut -d . -f 1)" -ge 1 ] ;;
	pkg-config) pkg-config --version ;;
	libglib2.0-dev) pkg-config --exists 'glib-2.0 >= 2.66' ;;
	libjansson-dev) pkg-config --exists 'jansson >= 2.12' ;;
	libmnl-dev) pkg-config --exists 'libmnl >= 1.0.4' ;;
	check) pkg-config --exists check ;;
	python3) python3 --version ;;
	python3-jsonschema) python_has jsonschema ;;
	libclang-rt-*) echo 'int main(void) { return 0; }' |
		clang -fsanitize=address,undefined -x c - -o /dev/null ;;
	llvm) command -v llvm-symbolizer ;;
	valgrind) valgrind -q true ;;
	*) command -v "$1" ;;
	esac >/dev/null 2>&1
}

# Tests run under the python3 of the path or under the one that runs meson.
python_has() {
	question="import importlib.util, sys; sys.exit(not importlib.util.find_spec('$1'))"
	python3 -c "$question" || /usr/bin/python3 -c "$question"
}

ninja_name() {
	command -v ninja || command -v ninja-build || command -v samu
}

# Sets 'missing' to those of the given packages that the machine lacks.
ask_for() {
	missing=
	for package in "$@"; do
		has "$package" || missing="$missing $package"
	done
}

# Sets 'as_root' to what must stand before a command for root: nothing or sudo.
may_install() {
	as_root=
	command -v apt-get >/dev/null || return
	[ "$(id -u)" -ne 0 ] || return 0
	as_root=sudo
	command -v sudo >/dev/null || return
	sudo -n true 2>/dev/null || { (: </dev/tty) 2>/dev/null && sudo true; }
}

# apt waits for a lock of dpkg's, but fails at once where another one is fetching
# the lists of packages: installations of ours wait for each other.  One bad source
# among several must not stop the others, so only the last command decides.
apt_install='
	dpkg --configure -a
	apt-get update
	DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
		-o DPkg::Lock::Timeout=300 "$@"
'

# Installs those of the given packages that the machine lacks, and says in
# 'installed' that it did.
need() {
	ask_for "$@"
	[ -n "$missing" ] || return 0
	may_install || die "please install (Debian's names; $versions):$missing"
	say "installing$missing"
	# shellcheck disable=SC2086 # a list of names
	quietly $as_root flock --close /etc/apt sh -c "$apt_install" apt_install $missing ||
		{ show_output; die "apt-get could not install$missing"; }
	ask_for "$@"
	[ -z "$missing" ] || die "missing or too old ($versions):$missing"
	installed=yes
}

# A build folder that was moved or copied with its checkout still refers to the
# old place, so it carries the name of the place that it was made for.
configured() {
	[ -f "$build/build.ninja" ] && [ -f "$build/checkout" ] &&
		[ "$(cat "$build/checkout")" = "$root" ]
}

# Keeps the options of an existing folder, and its objects where meson can.
set_up_again() {
	[ -f "$build/meson-private/cmd_line.txt" ] || return
	quietly meson setup --reconfigure "$@" "$build" "$root" ||
		quietly meson setup --wipe "$@" "$build" "$root"
}

set_up() {
	rm -rf "$build/meson-private"
	quietly meson setup "$@" "$build" "$root"
}

configure() {
	mkdir -p "$build" 2>/dev/null || true
	[ -w "$build" ] || die "$(id -un) may not write to $build"
	set_up_again "$@" || set_up "$@" || { show_output; die "cannot set up $build"; }
	printf '%s\n' "$root" >"$build/checkout"
}

# A folder that somebody else built may be used, as long as it is up to date.
compile() {
	if [ -w "$build" ]; then
		quietly "$(ninja_name)" -C "$build" "$1"
		return
	fi
	quietly "$(ninja_name)" -n -C "$build" "$1" || return
	case $output in
	*'no work to do'*) ;;
	*) die "$build is out of date, and $(id -un) may not write there" ;;
	esac
}

# Whether this output of a build tells of a mistake in the sources, which setting
# up the folder once more would not cure.
sources_fail() {
	case $1 in
	*'meson.build:'*' ERROR: '*) return 0 ;;
	*"rebuilding 'build.ninja'"*) return 1 ;;
	*'FAILED: '*) return 0 ;;
	*) return 1 ;;
	esac
}

# One build at a time for each checkout.  File 9 is the lock, and ends with the shell.
lock() {
	exec 9<"$root/.ci/setup.sh"
	command -v flock >/dev/null || return 0
	flock -w 1 9 && return
	say "waiting for another build of this checkout"
	flock 9
}

# The build did not work, or there was none: 'output' may tell why.
repair() {
	mistake=$output
	# shellcheck disable=SC2086 # lists of names
	need $basics $extras
	if [ -z "$installed" ] && sources_fail "$mistake"; then
		output=$mistake
	else
		say "building in $build"
		configure "$@"
		compile "$target" && return
	fi
	show_output
	die "the build failed"
}

# prepare FOLDER TARGET [OPTION of meson setup]... - builds the target there, and
# leaves the folder's path in 'build'.  Each compiler that CC names has its own.
# 'extras' are the packages that the caller needs and a build does not.
prepare() {
	build=$root/$1
	if [ -n "${CC-}" ]; then
		command -v "${CC%% *}" >/dev/null || die "there is no compiler named $CC"
		build=$build-$(printf '%s' "${CC##*/}" | tr -c '[:alnum:].+-' _)
	fi
	target=$2
	shift 2
	lock
	output=
	# shellcheck disable=SC2086 # a list of names
	ask_for $extras
	if [ -n "$missing$installed" ] || ! configured || ! compile "$target"; then
		repair "$@"
	fi
	exec 9<&-
}
