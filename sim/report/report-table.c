/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-table.c - a result for people: plain text of at most 100 columns, made
 * to be pasted into a mail.
 *
 * First what ran, then one line a phase, then each phase in detail, last the
 * fingerprint.  Figures are exact as long as they fit their column; the other
 * formats have all of them exactly. */
#include "report/report.h"

#include <math.h>

#include "engine/engine.h"
#include "report/metric.h"
#include "report/report-profile.h"
#include "report/text.h"

#define WIDTH       100
#define LABEL_WIDTH 13
#define NAME_WIDTH  23
#define TOP_CALLS   8
#define CALL_COUNT  14

/* A column of figures: 'width' is without the space before it. */
struct column {
	const char *heading;
	unsigned width;
	size_t offset; /* of the figure, where the row is a struct table_result */
};

enum { COMMANDS, FAILED, PREDICTED, PUBLISHED, RATIO, VISITS, WALK_VISITS };

static const struct column summary[] = {
	[COMMANDS] = {.heading = "commands", .width = 9},
	[FAILED] = {.heading = "failed", .width = 7},
	[PREDICTED] = {.heading = "predicted_s", .width = 12},
	[PUBLISHED] = {.heading = "published_s", .width = 11},
	[RATIO] = {.heading = "ratio", .width = 6},
	[VISITS] = {.heading = "visits", .width = 14},
	[WALK_VISITS] = {.heading = "walk_visits", .width = 11},
};

static const struct column of_table[] = {
	{"lookups", 8, offsetof(struct table_result, probes.lookups)},
	{"misses", 8, offsetof(struct table_result, probes.misses)},
	{"inserts", 7, offsetof(struct table_result, probes.inserts)},
	{"removes", 7, offsetof(struct table_result, probes.removes)},
	{"visits", 9, offsetof(struct table_result, probes.visits)},
	{"walk_visits", 11, offsetof(struct table_result, probes.walk_visits)},
	{"elements", 8, offsetof(struct table_result, elements)},
	{"bytes", 8, offsetof(struct table_result, bytes)},
};

static const struct column of_dump[] = {
	{"dumps", 6, offsetof(struct dump_total, dumps)},
	{"messages", 9, offsetof(struct dump_total, sum.messages)},
	{"bytes", 11, offsetof(struct dump_total, sum.bytes)},
	{"existing", 8, offsetof(struct dump_total, sum.existing)},
	{"shown", 8, offsetof(struct dump_total, sum.shown)},
	{"lost", 8, offsetof(struct dump_total, sum.lost)},
	{"repeated", 8, offsetof(struct dump_total, sum.repeated)},
	{"restarts", 8, offsetof(struct dump_total, sum.restarts)},
};

static void
cell(GString *out, const struct column *c, const char *s)
{
	g_string_append_c(out, ' ');
	text_right(out, s, c->width);
}

static void
count_cell(GString *out, const struct column *c, uint64_t n)
{
	char buf[TEXT_FIGURE];

	cell(out, c, text_count(buf, n, c->width));
}

static void
real_cell(GString *out, const struct column *c, double value, unsigned decimals)
{
	char buf[TEXT_FIGURE];

	if (value >= 0 && isfinite(value))
		cell(out, c, text_decimals(buf, value, decimals, c->width));
	else
		cell(out, c, "-");
}

static void
headings(GString *out, const char *first, unsigned width, const struct column *list, unsigned count)
{
	text_left(out, first, width);
	for (unsigned i = 0; i < count; i++)
		cell(out, &list[i], list[i].heading);
	text_newline(out);
}

static double
seconds(uint64_t ps)
{
	return (double)ps / (double)PS_PER_S;
}

/* What a line of the summary says. */
struct line {
	const char *name;
	uint64_t commands, failed, ps;
	double published_s; /* negative: none */
	uint64_t visits, walk_visits;
};

static struct line
line_of_phase(const struct phase_result *p)
{
	struct line l = {
		.name = p->name,
		.commands = p->commands,
		.failed = p->failed,
		.ps = p->end_ps - p->start_ps,
		.published_s = p->published.figure[PUBLISHED_REAL_S],
	};

	for (unsigned i = 0; i < p->tables->len; i++) {
		const struct table_result *t = &g_array_index(p->tables, struct table_result, i);

		l.visits += t->probes.visits;
		l.walk_visits += t->probes.walk_visits;
	}
	return l;
}

static void
append_line(GString *out, const struct line *l)
{
	double predicted = seconds(l->ps);

	text_left(out, l->name, NAME_WIDTH);
	count_cell(out, &summary[COMMANDS], l->commands);
	count_cell(out, &summary[FAILED], l->failed);
	real_cell(out, &summary[PREDICTED], predicted, 3);
	real_cell(out, &summary[PUBLISHED], l->published_s, 2);
	real_cell(out, &summary[RATIO], l->published_s > 0 ? predicted / l->published_s : -1, 2);
	count_cell(out, &summary[VISITS], l->visits);
	count_cell(out, &summary[WALK_VISITS], l->walk_visits);
	text_newline(out);
}

/* The published times have no total: rarely do all phases have one. */
static void
append_summary(GString *out, const struct run_result *r)
{
	struct line total = {.name = "total", .published_s = -1};

	headings(out, "phase", NAME_WIDTH, summary, G_N_ELEMENTS(summary));
	for (unsigned i = 0; i < r->phases->len; i++) {
		struct line l = line_of_phase(g_ptr_array_index(r->phases, i));

		append_line(out, &l);
		total.commands += l.commands;
		total.failed += l.failed;
		total.ps += l.ps;
		total.visits += l.visits;
		total.walk_visits += l.walk_visits;
	}
	append_line(out, &total);
}

static bool
append_tables(GString *out, const struct phase_result *p)
{
	bool any = false;

	for (unsigned i = 0; i < p->tables->len; i++) {
		const struct table_result *t = &g_array_index(p->tables, struct table_result, i);
		g_autofree char *name = g_strdup_printf("%s=%s", t->name, t->backend);

		if (!metric_table_used(t))
			continue;
		if (!any)
			headings(out, "  table=backend", NAME_WIDTH, of_table,
				 G_N_ELEMENTS(of_table));
		any = true;
		g_string_append(out, "  ");
		text_left(out, name, NAME_WIDTH - 2);
		for (unsigned j = 0; j < G_N_ELEMENTS(of_table); j++)
			count_cell(out, &of_table[j],
				   G_STRUCT_MEMBER(uint64_t, t, of_table[j].offset));
		text_newline(out);
	}
	return any;
}

static int
compare_calls(const void *a, const void *b)
{
	const struct call_result *const *x = a, *const *y = b;

	return ((*x)->count < (*y)->count) - ((*x)->count > (*y)->count);
}

/* Most often called first; the sort is stable, so equals stay sorted by name. */
static bool
append_calls(GString *out, const struct phase_result *p)
{
	g_autoptr(GPtrArray) calls = g_ptr_array_new();
	char buf[TEXT_FIGURE];

	for (unsigned i = 0; i < p->calls->len; i++)
		g_ptr_array_add(calls, &g_array_index(p->calls, struct call_result, i));
	g_ptr_array_sort(calls, compare_calls);
	for (unsigned i = 0; i < MIN(calls->len, TOP_CALLS); i++) {
		const struct call_result *c = g_ptr_array_index(calls, i);
		bool right = i % 2 == 1;

		text_left(out, i == 0 ? "  calls" : "", right ? 0 : LABEL_WIDTH - 4);
		text_right(out, text_count(buf, c->count, CALL_COUNT), CALL_COUNT);
		g_string_append_c(out, ' ');
		text_left(out, c->name, 28);
		if (right || i + 1 == MIN(calls->len, TOP_CALLS))
			text_newline(out);
	}
	return calls->len > 0;
}

static bool
append_locks(GString *out, const struct phase_result *p)
{
	char wait[TEXT_FIGURE], hold[TEXT_FIGURE], taken[TEXT_FIGURE], contended[TEXT_FIGURE];
	bool any = false;

	for (unsigned i = 0; i < p->locks->len; i++) {
		const struct lock_result *l = &g_array_index(p->locks, struct lock_result, i);

		if (l->stats.acquisitions == 0)
			continue;
		any = true;
		g_string_append(out, "  lock ");
		text_left(out, l->name, 16);
		g_string_append_printf(out, " %s taken, %s contended, waited %s, held %s",
				       text_count(taken, l->stats.acquisitions, 10),
				       text_count(contended, l->stats.contended, 10),
				       text_duration(wait, l->stats.wait_ps),
				       text_duration(hold, l->stats.hold_ps));
		text_newline(out);
		if (l->stats.transfers > 0)
			g_string_append_printf(out,
					       "    its lines came %s times from another CPU\n",
					       text_count(contended, l->stats.transfers, 20));
	}
	return any;
}

/* Of a dump that knows several algorithms: links are dumped for their names only. */
static void
append_published(GString *out, const struct phase_result *p, const struct dump_total *t)
{
	char shown[TEXT_FIGURE], published[TEXT_FIGURE], ratio[TEXT_FIGURE];
	double figure = p->published.figure[PUBLISHED_SHOWN];

	if (!*t->sum.algorithm || !published_has(&p->published, PUBLISHED_SHOWN) || figure >= 1e15)
		return;
	g_string_append_printf(out, "    %s shown, %s published",
			       text_count(shown, t->sum.shown, 20),
			       text_count(published, (uint64_t)figure, 20));
	if (figure > 0)
		g_string_append_printf(out, ", ratio %s",
				       text_decimals(ratio, (double)t->sum.shown / figure, 2, 8));
	text_newline(out);
}

/* What nobody should have to find in a column. */
static void
append_trouble(GString *out, const struct dump_total *t)
{
	char lost[TEXT_FIGURE], existing[TEXT_FIGURE], interrupted[TEXT_FIGURE];

	if (t->sum.lost > 0)
		g_string_append_printf(out, "    %s of %s entries were lost\n",
				       text_count(lost, t->sum.lost, 20),
				       text_count(existing, t->sum.existing, 20));
	if (t->interrupted > 0)
		g_string_append_printf(
			out, "    %s dump%s interrupted: what it tells of changed meanwhile\n",
			text_count(interrupted, t->interrupted, 20),
			t->interrupted == 1 ? " was" : "s were");
}

static bool
append_dumps(GString *out, const struct phase_result *p)
{
	if (p->dump_totals->len > 0)
		headings(out, "  dump, algorithm", NAME_WIDTH, of_dump, G_N_ELEMENTS(of_dump));
	for (unsigned i = 0; i < p->dump_totals->len; i++) {
		const struct dump_total *t = &g_array_index(p->dump_totals, struct dump_total, i);
		g_autofree char *name = g_strconcat(t->sum.what, *t->sum.algorithm ? ", " : "",
						    t->sum.algorithm, NULL);

		g_string_append(out, "  ");
		text_left(out, name, NAME_WIDTH - 2);
		for (unsigned j = 0; j < G_N_ELEMENTS(of_dump); j++)
			count_cell(out, &of_dump[j],
				   G_STRUCT_MEMBER(uint64_t, t, of_dump[j].offset));
		text_newline(out);
		append_published(out, p, t);
		append_trouble(out, t);
	}
	return p->dump_totals->len > 0;
}

static void
append_phase(GString *out, const struct phase_result *p)
{
	gsize before = out->len;
	bool any;

	g_string_append_c(out, '\n');
	text_left(out, p->name, WIDTH - 1);
	text_newline(out);
	any = append_tables(out, p);
	any |= append_calls(out, p);
	any |= append_locks(out, p);
	any |= append_dumps(out, p);
	any |= report_traffic(out, p);
	any |= report_profile(out, p);
	if (!any)
		g_string_truncate(out, before);
}

static void
append_field(GString *out, const char *label, const char *s)
{
	if (s && *s)
		text_wrapped(out, label, s, LABEL_WIDTH, WIDTH);
}

static char *
parameters(const struct run_result *r)
{
	GString *s = g_string_new(NULL);
	const char *name;
	json_t *value;

	json_object_foreach(r->params, name, value)
	{
		g_string_append_printf(s, "%s=%" JSON_INTEGER_FORMAT " ", name,
				       json_integer_value(value));
	}
	g_string_append_printf(s, "seed=%" PRIu64, r->seed);
	return g_string_free(s, FALSE);
}

/* As --kernel takes them. */
static char *
kernel_options(const struct run_result *r)
{
	GString *s = g_string_new(NULL);
	const char *name;
	json_t *value;

	json_object_foreach(r->kernel, name, value)
	{
		const char *flag = json_is_true(value) ? "1" : "0";

		g_string_append_printf(s, "%s%s=%s", s->len > 0 ? " " : "", name,
				       json_is_boolean(value) ? flag : json_string_value(value));
	}
	return g_string_free(s, FALSE);
}

static void
append_head(GString *out, const struct run_result *r)
{
	g_autofree char *backends = run_result_backends(r), *params = parameters(r);
	g_autofree char *kernel = kernel_options(r);

	append_field(out, "scenario", r->scenario);
	append_field(out, "", r->about);
	append_field(out, "source", r->source);
	append_field(out, "variant", r->variant);
	append_field(out, "parameters", params);
	append_field(out, "machine", r->machine);
	append_field(out, "kernel", kernel);
	append_field(out, "backends", backends);
	g_string_append_c(out, '\n');
}

static void
table_write(const struct run_result *r, GString *out)
{
	append_head(out, r);
	append_summary(out, r);
	for (unsigned i = 0; i < r->phases->len; i++)
		append_phase(out, g_ptr_array_index(r->phases, i));
	g_string_append_c(out, '\n');
	append_field(out, "stopped", r->failure);
	append_field(out, "fingerprint", r->fingerprint);
}

const struct report_format report_table = {
	.name = "table",
	.help = "for people: at most 100 columns, figures rounded where they must be",
	.write = table_write,
};
