/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-profile.c - where the CPU time of a phase went, as perf report shows it. */
#include "report/report-profile.h"

#include "report/text.h"

#define LEAST_PERMILLE 5 /* of the time: less is not shown */

static uint64_t
sum_of(const GArray *symbols)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < symbols->len; i++)
		sum += g_array_index(symbols, struct profile_symbol, i).self_ps;
	return sum;
}

/* In hundredths of a percent, rounded. */
static unsigned
share_of(uint64_t ps, uint64_t sum)
{
	return (unsigned)((double)ps / (double)sum * 10000 + 0.5);
}

static void
append_symbol(GString *out, const struct profile_symbol *s, unsigned share)
{
	g_string_append_printf(out, "  %5u.%02u%%  %-10s  [%c] ", share / 100, share % 100,
			       s->user ? "[user]" : "[kernel]", s->user ? '.' : 'k');
	text_left(out, s->symbol, 60);
	text_newline(out);
}

/* Streams are told by their data, other traffic by its packets. */
static void
append_total(GString *out, const struct traffic_total *t)
{
	char pps[TEXT_FIGURE], mbit[TEXT_FIGURE], senders[TEXT_FIGURE];

	g_string_append_printf(out, "  %s by %s senders: ", t->kind,
			       text_count(senders, t->senders, 10));
	if (g_str_has_suffix(t->kind, "stream"))
		g_string_append_printf(out, "%s Mbit/s, ",
				       text_decimals(mbit, (double)t->bit_per_s / 1e6, 2, 16));
	g_string_append_printf(out, "%s packets a second\n", text_count(pps, t->pps, 16));
}

static void
append_ratio(GString *out, const char *figure, double ratio)
{
	char text[TEXT_FIGURE];

	g_string_append_printf(out, "    %s published, ratio %s\n", figure,
			       text_decimals(text, ratio, 2, 8));
}

static bool
is_usable(const struct published *p, enum published_figure which)
{
	return published_has(p, which) && p->figure[which] > 0 && p->figure[which] < 1e15;
}

/* Of a phase with traffic of one kind: whose the figure would be otherwise is not said. */
static void
append_published(GString *out, const struct phase_result *p, const struct traffic_total *t)
{
	double pps = p->published.figure[PUBLISHED_PPS];
	double mbit = p->published.figure[PUBLISHED_MBIT];
	char figure[TEXT_FIGURE];

	if (is_usable(&p->published, PUBLISHED_PPS))
		append_ratio(out, text_count(figure, (uint64_t)pps, 16), (double)t->pps / pps);
	if (is_usable(&p->published, PUBLISHED_MBIT))
		append_ratio(out, text_decimals(figure, mbit, 2, 20),
			     (double)t->bit_per_s / 1e6 / mbit);
}

bool
report_traffic(GString *out, const struct phase_result *p)
{
	g_autoptr(GArray) totals = phase_result_traffic(p);

	for (unsigned i = 0; i < totals->len; i++)
		append_total(out, &g_array_index(totals, struct traffic_total, i));
	if (totals->len == 1)
		append_published(out, p, &g_array_index(totals, struct traffic_total, 0));
	return totals->len > 0;
}

bool
report_profile(GString *out, const struct phase_result *p)
{
	uint64_t sum = p->profile ? sum_of(p->profile) : 0;
	char total[TEXT_FIGURE];

	if (sum == 0)
		return false;
	g_string_append_printf(out, "  profile of %s of CPU time\n", text_duration(total, sum));
	for (unsigned i = 0; i < p->profile->len; i++) {
		const struct profile_symbol *s =
			&g_array_index(p->profile, struct profile_symbol, i);

		if (share_of(s->self_ps, sum) >= LEAST_PERMILLE * 10)
			append_symbol(out, s, share_of(s->self_ps, sum));
	}
	return true;
}
