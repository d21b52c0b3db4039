/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sysctl.c - the two ways to write below /proc/sys: sysctl(8) of procps 4.0, and
 * tee(1) of coreutils with something piped into it. */
#include <errno.h>
#include <string.h>

#include "iproute/command-impl.h"

#define PROC_SYS "/proc/sys/"

/* One file below /proc/sys. */
struct setting {
	char *path;  /* "net/ipv6/conf/all/forwarding" */
	char *key;   /* as sysctl prints it: "net.ipv6.conf.all.forwarding" */
	char *value; /* null: read it */
};

struct settings {
	GPtrArray *array;
	bool quiet;
};

static void
setting_free(void *data)
{
	struct setting *s = data;

	g_free(s->path);
	g_free(s->key);
	g_free(s->value);
	g_free(s);
}

static struct settings *
settings_new(void)
{
	struct settings *s = g_new0(struct settings, 1);

	s->array = g_ptr_array_new_with_free_func(setting_free);
	return s;
}

static void
settings_free(void *data)
{
	struct settings *s = data;

	g_ptr_array_unref(s->array);
	g_free(s);
}

static char *
swap_separators(const char *text)
{
	char *swapped = g_strdup(text);

	for (char *at = swapped; *at; at++)
		*at = *at == '.' ? '/' : *at == '/' ? '.' : *at;
	return swapped;
}

/* The first separator says which kind separates; the other one then stands for
 * the character in a name: net.ipv6.conf.foo/1 is the device foo.1. */
static void
resolve_key(const char *text, struct setting *s)
{
	const char *first = strpbrk(text, "./");

	if (first && *first == '.') {
		s->key = g_strdup(text);
		s->path = swap_separators(text);
	} else {
		s->path = g_strdup(text);
		s->key = swap_separators(text);
	}
}

/* sysctl */

static void
print_setting(struct process *p, const struct setting *s, const char *value)
{
	process_print(p, "%s = %s\n", s->key, value);
}

static void
no_such_key(struct process *p, const struct setting *s)
{
	process_fail(p, 1, "sysctl: cannot stat " PROC_SYS "%s: No such file or directory\n",
		     s->path);
}

static void
sysctl_read(struct process *p, const struct setting *s)
{
	g_autofree char *text = NULL;
	int value;

	if (net_sysctl_read(p->net, s->path, &value) != 0) {
		no_such_key(p, s);
		return;
	}
	text = g_strdup_printf("%d", value);
	print_setting(p, s, text);
}

static void
sysctl_write(struct process *p, const struct setting *s, bool quiet)
{
	int result = net_sysctl_write(p->net, s->path, s->value);

	if (result == -ENOENT)
		no_such_key(p, s);
	else if (result)
		process_fail(p, 1, "sysctl: setting key \"%s\": %s\n", s->key, error_text(result));
	else if (!quiet)
		print_setting(p, s, s->value);
}

static void
sysctl_run(struct process *p, const void *data)
{
	const struct settings *settings = data;

	for (unsigned i = 0; i < settings->array->len; i++) {
		const struct setting *s = g_ptr_array_index(settings->array, i);

		if (s->value)
			sysctl_write(p, s, settings->quiet);
		else
			sysctl_read(p, s);
	}
}

static const struct command_type sysctl_type = {.run = sysctl_run, .free = settings_free};

/* "KEY=VALUE", or "KEY" where reading is allowed. */
static bool
parse_assignment(struct args *a, struct settings *settings, bool write)
{
	const char *text = args_take(a);
	const char *equals = strchr(text, '=');
	g_autofree char *key = equals ? g_strndup(text, (gsize)(equals - text)) : g_strdup(text);
	struct setting *s;

	g_strstrip(key);
	if (!*key || (write && !equals))
		return args_error(a, "sysctl: \"%s\" must be of the form name=value", text);
	if (strstr(key, "..") || strstr(key, "//"))
		return args_error(a, "sysctl: separators should not be repeated: %s", key);
	s = g_new0(struct setting, 1);
	resolve_key(key, s);
	s->value = equals ? g_strstrip(g_strdup(equals + 1)) : NULL;
	g_ptr_array_add(settings->array, s);
	return true;
}

static bool
parse_sysctl_words(struct args *a, struct settings *settings)
{
	bool write = false;

	while (args_left(a)) {
		const char *word = args_peek(a);

		if (strcmp(word, "-w") == 0 || strcmp(word, "--write") == 0) {
			write = true;
			a->at++;
		} else if (strcmp(word, "-q") == 0 || strcmp(word, "--quiet") == 0) {
			settings->quiet = true;
			a->at++;
		} else if (*word == '-') {
			a->at++;
			return args_error(a, "not simulated: the option \"%s\" of sysctl", word);
		} else if (!parse_assignment(a, settings, write)) {
			return false;
		}
	}
	return settings->array->len > 0 ||
	       args_error_next(
		       a, "sysctl: no variables specified, as in net.ipv6.conf.all.forwarding=1");
}

bool
sysctl_parse(struct args *a, struct command *c, const char *input)
{
	struct settings *settings = settings_new();

	if (parse_sysctl_words(a, settings))
		return command_becomes(c, &sysctl_type, settings);
	settings_free(settings);
	return false;
}

/* tee */

static void
tee_run(struct process *p, const void *data)
{
	const struct settings *settings = data;

	for (unsigned i = 0; i < settings->array->len; i++) {
		const struct setting *s = g_ptr_array_index(settings->array, i);
		int result = net_sysctl_write(p->net, s->path, s->value);

		if (i == 0)
			process_print(p, "%s\n", s->value);
		if (result)
			process_fail(p, 1, "tee: " PROC_SYS "%s: %s\n", s->path,
				     error_text(result));
	}
}

static const struct command_type tee_type = {.run = tee_run, .free = settings_free};

static bool
parse_tee_file(struct args *a, struct settings *settings, const char *input)
{
	const char *path = args_take(a);
	struct setting *s;

	if (*path == '-')
		return args_error(a, "not simulated: the option \"%s\" of tee", path);
	if (!g_str_has_prefix(path, PROC_SYS))
		return args_error(a, "not simulated: the file \"%s\"; only those below " PROC_SYS,
				  path);
	s = g_new0(struct setting, 1);
	s->path = g_strdup(path + strlen(PROC_SYS));
	s->value = g_strdup(input);
	g_ptr_array_add(settings->array, s);
	return true;
}

bool
tee_parse(struct args *a, struct command *c, const char *input)
{
	struct settings *settings = settings_new();
	bool ok = true;

	if (!input)
		ok = args_error(a, "tee needs something to write: echo VALUE | tee FILE");
	else if (!args_left(a))
		ok = args_error_next(a, "a file is missing: tee " PROC_SYS "...");
	while (ok && args_left(a))
		ok = parse_tee_file(a, settings, input);
	if (ok)
		return command_becomes(c, &tee_type, settings);
	settings_free(settings);
	return false;
}
