/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-write.c - results reach a file whole or not at all, and nothing else is
 * left in its folder. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/output.h"

static char *folder;

static void
make_folder(void)
{
	folder = g_dir_make_tmp("test-write-XXXXXX", NULL);
	ck_assert_ptr_nonnull(folder);
}

static void
remove_folder(void)
{
	const char *argv[] = {"rm", "-rf", folder, NULL};

	g_chmod(folder, 0700);
	g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
		     NULL);
	g_free(folder);
}

static char *
in_folder(const char *name)
{
	return g_build_filename(folder, name, NULL);
}

static unsigned
files_in(const char *path)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	unsigned count = 0;

	while (g_dir_read_name(dir))
		count++;
	g_dir_close(dir);
	return count;
}

static void
assert_writes(const char *path, const char *text)
{
	GError *error = NULL;

	ck_assert_msg(output_write_file(path, text, strlen(text), &error), "%s",
		      error ? error->message : "");
}

static void
assert_holds(const char *path, const char *want)
{
	char *got = NULL;

	ck_assert(g_file_get_contents(path, &got, NULL, NULL));
	ck_assert_str_eq(got, want);
	g_free(got);
}

/* With one line that names the path and ends in the reason. */
static void
assert_fails(const char *path, int code)
{
	GError *error = NULL;

	ck_assert(!output_write_file(path, "new", 3, &error));
	ck_assert_ptr_nonnull(error);
	ck_assert_msg(strstr(error->message, path) != NULL, "%s", error->message);
	ck_assert_msg(g_str_has_suffix(error->message, g_strerror(code)), "%s", error->message);
	ck_assert_ptr_null(strchr(error->message, '\n'));
	g_error_free(error);
}

static mode_t
mode_of(const char *path)
{
	struct stat st;

	ck_assert_int_eq(stat(path, &st), 0);
	return st.st_mode & 0777;
}

START_TEST(test_new_and_replaced)
{
	char *path = in_folder("result.json");

	umask(022);
	assert_writes(path, "old");
	assert_holds(path, "old");
	ck_assert_uint_eq(mode_of(path), 0644);
	g_chmod(path, 0640);
	assert_writes(path, "new and longer");
	assert_holds(path, "new and longer");
	ck_assert_uint_eq(mode_of(path), 0640);
	assert_writes(path, "");
	assert_holds(path, "");
	ck_assert_uint_eq(files_in(folder), 1);
	g_free(path);
}
END_TEST

START_TEST(test_relative_and_long_names)
{
	char *long_name = g_strnfill(255, 'n'), *path = in_folder(long_name);

	assert_writes(path, "long");
	assert_holds(path, "long");
	ck_assert_int_eq(g_chdir(folder), 0);
	assert_writes("relative", "here");
	assert_holds("relative", "here");
	ck_assert_uint_eq(files_in(folder), 2);
	ck_assert_int_eq(g_chdir("/"), 0);
	g_free(path);
	g_free(long_name);
}
END_TEST

START_TEST(test_who_reads_the_old_file_keeps_it)
{
	char *path = in_folder("result"), got[8] = "";
	int fd;

	assert_writes(path, "old");
	fd = g_open(path, O_RDONLY | O_CLOEXEC, 0);
	assert_writes(path, "other");
	ck_assert_int_eq(read(fd, got, sizeof got), 3);
	ck_assert_str_eq(got, "old");
	close(fd);
	g_free(path);
}
END_TEST

START_TEST(test_symbolic_links)
{
	char *sub = in_folder("sub"), *target = in_folder("sub/target"),
	     *first = in_folder("first"), *second = in_folder("second"), *loop = in_folder("loop");

	ck_assert_int_eq(g_mkdir(sub, 0755), 0);
	ck_assert_int_eq(symlink("sub/target", second), 0);
	ck_assert_int_eq(symlink(second, first), 0);
	assert_writes(first, "through a dangling link");
	assert_holds(target, "through a dangling link");
	assert_writes(first, "through a link");
	assert_holds(target, "through a link");
	ck_assert(g_file_test(first, G_FILE_TEST_IS_SYMLINK));
	ck_assert(g_file_test(second, G_FILE_TEST_IS_SYMLINK));
	ck_assert(!g_file_test(target, G_FILE_TEST_IS_SYMLINK));
	ck_assert_int_eq(symlink("loop", loop), 0);
	assert_fails(loop, ELOOP);
	ck_assert_uint_eq(files_in(folder), 4);
	ck_assert_uint_eq(files_in(sub), 1);
	g_free(sub);
	g_free(target);
	g_free(first);
	g_free(second);
	g_free(loop);
}
END_TEST

START_TEST(test_what_is_no_file)
{
	char *missing = in_folder("missing/result"), *fifo = in_folder("fifo"), got[8] = "";
	int fd;

	assert_fails(folder, EISDIR);
	assert_fails(missing, ENOENT);
	assert_fails("", ENOENT);
	assert_writes("/dev/null", "away");
	assert_fails("/dev/full", ENOSPC);
	ck_assert_int_eq(mkfifo(fifo, 0644), 0);
	fd = g_open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
	assert_writes(fifo, "pipe");
	ck_assert_int_eq(read(fd, got, sizeof got), 4);
	ck_assert_str_eq(got, "pipe");
	close(fd);
	ck_assert_uint_eq(files_in(folder), 1);
	g_free(missing);
	g_free(fifo);
}
END_TEST

/* Runs as nobody if we are root, whom no permission stops. */
static void
without_root(void (*fn)(const char *path), const char *path)
{
	int status = 0;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
			_exit(2);
		fn(path);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}

static void
expect_refusal(const char *path)
{
	GError *error = NULL;

	if (output_write_file(path, "new", 3, &error) || !error ||
	    error->code != G_FILE_ERROR_ACCES)
		_exit(1);
	g_error_free(error);
}

START_TEST(test_permissions)
{
	char *path = in_folder("result");

	assert_writes(path, "old");
	g_chmod(path, 0444);
	g_chmod(folder, 0777);
	without_root(expect_refusal, path);
	assert_holds(path, "old");
	g_chmod(path, 0666);
	g_chmod(folder, 0555);
	without_root(expect_refusal, path);
	assert_holds(path, "old");
	ck_assert_uint_eq(files_in(folder), 1);
	g_free(path);
}
END_TEST

/* A disk that fills up half-way, played by the limit on a file's size. */
START_TEST(test_full_disk_leaves_the_old_file)
{
	struct rlimit limit, none;
	char *path = in_folder("result");
	GError *error = NULL;
	char *text = g_strnfill(100000, 'x');
	bool good;

	assert_writes(path, "old");
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &none);
	limit = none;
	limit.rlim_cur = 4096;
	setrlimit(RLIMIT_FSIZE, &limit);
	good = output_write_file(path, text, 100000, &error);
	setrlimit(RLIMIT_FSIZE, &none);
	ck_assert(!good);
	ck_assert_msg(g_str_has_suffix(error->message, g_strerror(EFBIG)), "%s", error->message);
	assert_holds(path, "old");
	ck_assert_uint_eq(files_in(folder), 1);
	g_error_free(error);
	g_free(text);
	g_free(path);
}
END_TEST

START_TEST(test_standard_output)
{
	char *path = in_folder("out");
	int saved = dup(STDOUT_FILENO), fd = g_open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);

	ck_assert_int_ge(dup2(fd, STDOUT_FILENO), 0);
	close(fd);
	assert_writes("-", "one ");
	assert_writes(NULL, "two");
	ck_assert_int_ge(dup2(saved, STDOUT_FILENO), 0);
	close(saved);
	assert_holds(path, "one two");
	g_free(path);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("write");
	TCase *t = tcase_create("write");
	SRunner *sr;
	int failed;

	tcase_add_checked_fixture(t, make_folder, remove_folder);
	tcase_add_test(t, test_new_and_replaced);
	tcase_add_test(t, test_relative_and_long_names);
	tcase_add_test(t, test_who_reads_the_old_file_keeps_it);
	tcase_add_test(t, test_symbolic_links);
	tcase_add_test(t, test_what_is_no_file);
	tcase_add_test(t, test_permissions);
	tcase_add_test(t, test_full_disk_leaves_the_old_file);
	tcase_add_test(t, test_standard_output);
	suite_add_tcase(s, t);
	sr = srunner_create(s);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
