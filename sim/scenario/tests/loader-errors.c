/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loader-errors.c - bad scenario files: what the loader says, and about which place.
 *
 * A bad file is written with an '@' before the place that is to blame; the test
 * takes it out, and counts lines and characters itself. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "data/document.h"
#include "load-text.h"

/* ' stands for ". */

#define P(body) "{ 'name': 't', 'phases': [ { 'name': 'p', " body " } ] }"
#define RUN     "'run': ['ip netns add t']"
#define AT(at)  "{ 'name': 't', 'phases': [ { 'name': 'p', " RUN " } ], 'published_at': [ " at " ] }"

static const struct {
	const char *text, *message;
} bad[] = {
	{"@[]", "a scenario is an object, not an array"},
	{"@{ 'phases': [] }", "a scenario needs a member \"name\""},
	{"@{ 'name': 't' }", "a scenario needs a member \"phases\""},
	{"{ 'name': 't',\n  'phases': @[] }", "\"phases\" must not be empty"},
	{"{ 'name': @7, 'phases': [] }", "\"name\" is a string, not an integer"},
	{"{ 'name': @'T', 'phases': [] }",
	 "\"name\" is made of small letters, digits and '-', and does not begin with '-'"},
	{"{ 'name': @'', 'phases': [] }", "a text of 0 characters; 1 to 60 are allowed"},
	{"{ 'name': 't', 'source': 'ü', @'phasen': 1 }", NULL},
	{"{ 'about': 'über \\u00fc \\ud83d\\ude00 ü', 'name': 't', @'phasen': [] }",
	 "unknown member \"phasen\" of a scenario; known are $schema, name, about, source, "
	 "machine, "
	 "params, kernel, backends, previous_namespace, setup, phases, variants, published, "
	 "published_at"},
	{"{ 'name': 't', 'about': 'a\\u00fc@\\nb', 'phases': [] }",
	 "a control character; this is one line of plain text"},
	{"{ 'name': 't', 'params': { @'N': 1 }, 'phases': [] }",
	 "\"N\" is no name of a parameter: a small letter, then small letters, digits and '_', 32 "
	 "at most"},
	{"{ 'name': 't', 'params': { 'n': @-1 }, 'phases': [] }",
	 "\"n\" is -1; it must be 0 to 1000000000"},
	{"{ 'name': 't', 'params': { 'n': @'$n' }, 'phases': [] }",
	 "\"n\" is an integer, not a string"},
	{"{ 'name': 't', 'params': { 'n': { 'default': @5, 'max': 4 } }, 'phases': [] }",
	 "\"default\" is 5; it must be 0 to 4"},
	{"{ 'name': 't', 'params': { 'n': { 'default': 5, 'min': 4, 'max': @3 } }, 'phases': [] }",
	 "\"max\" is 3; it must be 4 to 1000000000"},
	{"{ 'name': 't', 'kernel': { 'version': @'4.9' }, 'phases': [] }",
	 "\"version\" is \"5.10\" or \"6.1\""},
	{"{ 'name': 't', 'kernel': { 'fdb_dump': @'Resume' }, 'phases': [] }",
	 "\"fdb_dump\" is \"restart\", \"resume-posted\", \"resume\" or \"cursor\""},
	{"{ 'name': 't', 'variants': { 'v': { 'kernel': { 'skb': @3776 } } }, 'phases': [] }",
	 "\"skb\" is \"auto\", \"16384\" or \"3776\""},
	{"{ 'name': 't', 'kernel': { @'skbs': 'auto' }, 'phases': [] }",
	 "unknown member \"skbs\" of \"kernel\"; known are version, gvrp, mvrp, fdb_dump, "
	 "fdb_walk, skb, saddr, xfrmi_decode, xfrm_dump, "
	 "xfrm_policy_insert"},
	{"{ 'name': 't', 'params': { 'n': 1 }, 'kernel': { 'gvrp': @'$n' }, 'phases': [] }",
	 "\"$n\" may be other than 0 and 1: give it \"min\": 0, \"max\": 1"},
	{"{ 'name': 't', 'kernel': { 'gvrp': @'$n' }, 'phases': [] }",
	 "unknown parameter \"$n\"; known are none"},
	{"{ 'name': 't', 'kernel': { 'gvrp': @1 }, 'phases': [] }",
	 "\"gvrp\" is true or false, not an integer"},
	{"{ 'name': 't', 'backends': { '*': @'heap' }, 'phases': [] }", NULL},
	{"{ 'name': 't', 'backends': { @'fdbs': 'list' }, 'phases': [] }", NULL},
	{"{ 'name': 't', 'params': { 'n': 1 }, 'variants': { 'v': { 'params': { @'m': 1 } } },"
	 " 'phases': [] }",
	 "unknown parameter \"m\"; known are n"},
	{"{ 'name': 't', 'variants': { 'v': { @'setup': [] } }, 'phases': [] }",
	 "unknown member \"setup\" of a variant; known are about, params, kernel, backends, "
	 "previous_namespace"},
	{P("@'runs': []"),
	 "unknown member \"runs\" of a phase; known are name, for, run, keep_going, settle, "
	 "until_idle"},
	{"{ 'name': 't', 'phases': [ @{ 'name': 'p' } ] }", "a phase needs a member \"run\""},
	{"{ 'name': 't', 'phases': [ { 'name': 'p', " RUN " }, { 'name': @'p', " RUN " } ] }",
	 "a second phase of this name"},
	{"{ 'name': 't', 'setup': ['ip netns add t'], 'phases': [ { 'name': @'setup', " RUN
	 " } ] }",
	 "a second phase of this name"},
	{P("'run': [@7]"), "a step that is no string is an object, not an integer"},
	{P("'run': [{ 'run': @7 }]"), "\"run\" of a step is a string"},
	{P("'run': ['ip netns add t', { 'run': 'ip netns add u', 'may_fail': @'yes' }]"),
	 "\"may_fail\" is true or false, not a string"},
	{P("'run': ['ip netns add @$i']"), "unknown variable \"$i\"; none is known"},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add \\u0061@${j}']"),
	 "unknown variable \"$j\"; known are $i"},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add @${i']"),
	 "\"$\" begins \"$name\", \"${name}\", \"$((EXPRESSION))\" or \"$(mac3 EXPRESSION)\"; a "
	 "dollar is \"$$\""},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add @$']"),
	 "\"$\" begins \"$name\", \"${name}\", \"$((EXPRESSION))\" or \"$(mac3 EXPRESSION)\"; a "
	 "dollar is \"$$\""},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add @$ij']"),
	 "unknown variable \"$ij\"; known are $i"},
	{P("'for': { 'i': '1..@$i' }, " RUN), "unknown variable \"$i\"; none is known"},
	{P("'for': { 'i': '1..@$j', 'j': '1..2' }, " RUN),
	 "unknown variable \"$j\"; none is known"},
	{P("'for': { 'i': @'5' }, " RUN), "a loop is \"FIRST..LAST\", such as \"1..$n\""},
	{P("'for': { 'i': @5 }, " RUN), "a loop is \"FIRST..LAST\", such as \"1..$n\""},
	{P("'for': { 'i': '1..@x' }, " RUN),
	 "\"x\" is neither an integer nor one \"$name\" or \"$((EXPRESSION))\""},
	{P("'for': { 'i': '@1.5..2' }, " RUN),
	 "\"1.5\" is neither an integer nor one \"$name\" or \"$((EXPRESSION))\""},
	{P("'for': { 'i': '1..@99999999999999999999' }, " RUN),
	 "\"99999999999999999999\" is neither an integer nor one \"$name\" or \"$((EXPRESSION))\""},
	{P("'for': { 'i': @'2..0' }, " RUN), "a loop from 2 up to 0 runs backwards"},
	{P("'for': { 'i': @'1..3000000' }, " RUN),
	 "a loop from 1 to 3000000 makes more than 2000000 commands in all"},
	{P("'for': { 'i': '1..2', @'I': '1..2' }, " RUN),
	 "\"I\" is no name of a variable: a small letter, then small letters, digits and '_', 32 "
	 "at "
	 "most"},
	{"{ 'name': 't', 'params': { 'n': 1 }, 'phases': [ { 'name': 'p',"
	 " 'for': { @'n': '1..2' }, " RUN " } ] }",
	 "\"n\" is a parameter or a loop already"},
	{P("'for': { 'a': '1..1', 'b': '1..1', 'c': '1..1', 'd': '1..1', 'e': '1..1', 'f': '1..1',"
	   " 'g': '1..1', 'h': '1..1', @'i': '1..1' }, " RUN),
	 "more than 8 loops"},
	/* Expressions: their form, and values wherever they occur. */
	{P("'run': ['ip netns add n$((@))']"), "a value is missing at the end"},
	{P("'run': ['ip netns add n$((1 +@))']"), "a value is missing at the end"},
	{P("'run': ['ip netns add n$((1 + @* 2))']"),
	 "a number, a variable or \"(\" is wanted instead of \"*\""},
	{P("'run': ['ip netns add n$((1 @2))']"),
	 "an operator is wanted instead of \"2\"; there are + - * / % and parentheses"},
	{P("'run': ['ip netns add n$((2 *@* 3))']"),
	 "a number, a variable or \"(\" is wanted instead of \"*\""},
	{P("'run': ['ip netns add n$((1 @< 2))']"),
	 "an operator is wanted instead of \"<\"; there are + - * / % and parentheses"},
	{P("'run': ['ip netns add n$((1 @ü 2))']"),
	 "an operator is wanted instead of \"ü\"; there are + - * / % and parentheses"},
	{P("'run': ['ip netns add n@$((1 + 2)']"), "the \"$((\" is not closed by \"))\""},
	{P("'run': ['ip netns add n@$(((1 + 2))']"), "the \"$((\" is not closed by \"))\""},
	{P("'run': ['ip netns add n@$((1) + (2))']"), "the \"$((\" is not closed by \"))\""},
	{P("'run': ['ip netns add n$((@010))']"), "a number that begins with 0 is octal in sh"},
	{P("'run': ['ip netns add n$((@9223372036854775808))']"),
	 "a number that needs more than 64 bits"},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add n$((i @-- 1))']"),
	 "\"--\" is one operator in sh; put a blank in between"},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add n$((i + @j))']"),
	 "unknown variable \"$j\"; known are $i"},
	{P("'for': { 'i': '1..2' }, 'run': ['ip netns add n$((i + @${i))']"),
	 "\"$\" begins \"$name\" or \"${name}\" here"},
	{P("'run': ['ip netns add n$((((((((((((((((((((((((((((((((((@((1"
	   "))))))))))))))))))))))))))))))))))))']"),
	 "more than 32 levels"},
	{P("'for': { 'i': '-2..2' }, 'run': ['ip netns add n$((6 @/ i))']"),
	 "division by zero (with $i = 0)"},
	{P("'for': { 'i': '1..3', 'j': '0..4' }, 'run': ['true', 'ip netns add n$((6 @% (2 - "
	   "j)))']"),
	 "division by zero (with $i = 1, $j = 2)"},
	{P("'for': { 'i': '1..40' }, 'run': ['ip netns add n$((i * 1000000000000 @* 1000000))']"),
	 "a value that needs more than 64 bits (with $i = 10)"},
	{P("'run': ['ip netns add n$(((-9223372036854775807 - 1) @/ -1))']"),
	 "a value that needs more than 64 bits"},
	{P("'run': ['ip netns add n@$(mac6 1)']"),
	 "\"$(\" begins \"$((EXPRESSION))\" or \"$(mac3 EXPRESSION)\", mac1 to mac5; no command is "
	 "run here"},
	{P("'run': ['ip netns add n@$(date)']"), NULL},
	{P("'run': ['ip netns add n@$(mac3']"), NULL},
	{P("'run': ['ip netns add n@$(mac3 (1)']"), "the \"$(\" is not closed"},
	{P("'for': { 'i': '0..2' }, 'run': ['ip netns add n$(mac2 @1 - i)']"),
	 "the value is -1; a MAC address has no negative ones (with $i = 2)"},
	{P("'for': { 'i': '1..@$(mac2 5)' }, " RUN),
	 "\"$(mac2 5)\" is neither an integer nor one \"$name\" or \"$((EXPRESSION))\""},
	{P("'for': { 'i': '1..$((5 @/ 0))' }, " RUN), "division by zero"},
	{P("'for': { 'i': '$((@j + 1))..5' }, " RUN), "unknown variable \"$j\"; none is known"},
	{P("'for': { 'i': '0..3', 'j': '$((4 @/ (2 - i)))..5' }, " RUN), "division by zero"},
	{P(RUN ", 'settle': '$((7 @/ 0))'"), "division by zero"},
	{P(RUN ", 'settle': @'$((1 - 2))'"), "\"settle\" is -1 seconds; it must be 0 to 86400"},
	{P(RUN ", 'settle': @86401"), "\"settle\" is 86401 seconds; it must be 0 to 86400"},
	{P(RUN ", 'settle': @1.5"), "\"settle\" is an integer or the \"$name\" of a parameter"},
	{P("'for': { 'i': '1..2' }, " RUN ", 'settle': '@$i'"),
	 "unknown variable \"$i\"; none is known"},
	{"{ 'name': 't', 'phases': [ { 'name': 'p', " RUN " } ], 'published': { @'v': {} } }",
	 "there is no variant \"v\""},
	{"{ 'name': 't', 'phases': [ { 'name': 'p', " RUN " } ], 'variants': { 'v': {} },"
	 " 'published': { 'v': { @'q': {} } } }",
	 "there is no phase \"q\""},
	{"{ 'name': 't', 'phases': [ { 'name': 'p', " RUN " } ], 'variants': { 'v': {} },"
	 " 'published': { 'v': { 'p': { 'real_s': @-1 } } } }",
	 "\"real_s\" is a number of seconds, 0 or more"},
	{"{ 'name': 't', 'phases': [ { 'name': 'p', " RUN " } ], 'variants': { 'v': {} },"
	 " 'published': { 'v': { 'p': { 'shown': @'all' } } } }",
	 "\"shown\" is a number of entries, 0 or more"},
	{"{ 'name': 't', 'phases': [ { 'name': 'p', " RUN " } ], 'variants': { 'v': {} },"
	 " 'published': { 'v': { 'p': { @'lost': 1 } } } }",
	 "unknown member \"lost\" of published figures of a phase; known are real_s, shown, "
	 "pps, mbit_per_s"},
	{"{ 'name': 't', 'phases': [ { 'name': 'p', " RUN " } ], 'variants': { 'v': {} },"
	 " 'published': { 'v': { 'p': { 'pps': @-1 } } } }",
	 "\"pps\" is a number of packets a second, 0 or more"},
	{"{ 'name': 't', 'phases': [ { 'name': 'p', " RUN " } ], 'variants': { 'v': {} },"
	 " 'published': { 'v': { 'p': { 'mbit_per_s': @'1' } } } }",
	 "\"mbit_per_s\" is a number of millions of bits a second, 0 or more"},
	{AT("@{ 'params': {} }"), "what is published of other sizes needs a member \"published\""},
	{AT("{ 'params': { @'n': 1 }, 'published': {} }"),
	 "unknown parameter \"n\"; known are none"},
	{AT("@7"), "what is published of other sizes is an object, not an integer"},
	{P("'run': ['ip netns add a @& ip netns add b']"),
	 "not simulated: \"&\" within a line; what follows it is a command of its own"},
	{P("'run': ['sleep 1 &', 'wait @1']"),
	 "not simulated: wait with arguments; alone it waits for all commands in the background"},
	{P("'run': ['sleep 1 &', 'wait @&']"), "not simulated: to wait in the background"},
	{P("'for': { 'i': '1..5001' }, 'run': @['sleep 1 &', 'true', 'sleep 2 &']"),
	 "10002 commands in the background at one time; 10000 are allowed, and \"wait\" waits for "
	 "those before it"},
	/* The command's own words are the grammar's; the position is ours. */
	{P("'run': ['@gibberish a b']"), NULL},
	{P("'for': { 'i': '1..200', 'jj': '5..5' }, 'run': ['sleep $jj$i @x$i']"), NULL},
	{P("'run': ['ip netns add \\u0061@\\t']"),
	 "a control character; this is one line of plain text"},
};

/* Takes the '@' out and says where it was. */
static char *
split_place(const char *marked, unsigned *line, unsigned *column)
{
	g_autofree char *text = g_strdelimit(g_strdup(marked), "'", '"');
	char *at = strchr(text, '@'), *before;

	*at = '\0';
	before = strrchr(text, '\n');
	*line = 1;
	for (const char *p = text; *p; p++)
		*line += *p == '\n';
	*column = (unsigned)g_utf8_strlen(before ? before + 1 : text, -1) + 1;
	return g_strconcat(text, at + 1, NULL);
}

START_TEST(test_bad)
{
	unsigned line, column;
	g_autofree char *text = NULL, *place = NULL;
	GError *error = NULL;

	text = split_place(bad[_i].text, &line, &column);
	place = g_strdup_printf(":%u:%u: ", line, column);
	ck_assert_ptr_null(load_text(text, NULL, &error));
	ck_assert_ptr_nonnull(error);
	ck_assert(error->domain == DATA_ERROR);
	ck_assert_msg(g_str_has_prefix(error->message, place), "%s\nwant %s got %s", text, place,
		      error->message);
	if (bad[_i].message)
		ck_assert_str_eq(error->message + strlen(place), bad[_i].message);
	g_error_free(error);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("errors");
	TCase *tc = tcase_create("errors");
	SRunner *sr;
	int failed;

	tcase_add_loop_test(tc, test_bad, 0, G_N_ELEMENTS(bad));
	suite_add_tcase(suite, tc);
	sr = srunner_create(suite);
	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
