/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric.c - names, units and places of the figures of a result. */
#include "report/metric.h"

#include "report/text.h"

#define TABLE(member, unit)                                                                        \
	{                                                                                          \
#member, unit, offsetof(struct table_result, member)                               \
	}
#define LOCK(name, unit, member)                                                                   \
	{                                                                                          \
		name, unit, offsetof(struct lock_stats, member)                                    \
	}
#define RCU(member, unit)                                                                          \
	{                                                                                          \
#member, unit, offsetof(struct rcu_stats, member)                                  \
	}

#define DUMP(member, unit)                                                                         \
	{                                                                                          \
#member, unit, offsetof(struct dump_record, member)                                \
	}

/* All of them are read as one type. */
G_STATIC_ASSERT(sizeof(((struct rcu_stats *)0)->pending_bytes) == sizeof(uint64_t));

const struct metric metrics_of_table[] = {
#define X(name, help) {#name, "count", offsetof(struct table_result, probes.name)},
	PROBE_LIST(X)
#undef X
		TABLE(elements, "count"),
	TABLE(bytes, "bytes"),
	{0},
};

const struct metric metrics_of_lock[] = {
	LOCK("acquisitions", "count", acquisitions),
	LOCK("contended", "count", contended),
	LOCK("wait_s", "s", wait_ps),
	LOCK("wait_max_s", "s", wait_max_ps),
	LOCK("hold_s", "s", hold_ps),
	LOCK("hold_max_s", "s", hold_max_ps),
	LOCK("transfers", "count", transfers),
	{0},
};

const struct metric metrics_of_rcu[] = {
	RCU(read_sections, "count"),
	RCU(grace_periods, "count"),
	RCU(deferred, "count"),
	RCU(pending_bytes, "bytes"),
	RCU(pending_bytes_max, "bytes"),
	RCU(synchronize_calls, "count"),
	{0},
};

const struct metric metrics_of_dump[] = {
	DUMP(messages, "count"), DUMP(bytes, "bytes"),
	DUMP(existing, "count"), DUMP(shown, "count"),
	DUMP(lost, "count"),     DUMP(repeated, "count"),
	DUMP(restarts, "count"), {0},
};

const struct metric metrics_of_traffic[] = {
	{"senders", "count", offsetof(struct traffic_total, senders)},
	{"packets", "count", offsetof(struct traffic_total, packets)},
	{"bytes", "bytes", offsetof(struct traffic_total, bytes)},
	{"start_s", "s", offsetof(struct traffic_total, start_ps)},
	{"end_s", "s", offsetof(struct traffic_total, end_ps)},
	{"pps", "1/s", offsetof(struct traffic_total, pps)},
	{"mbit_per_s", "Mbit/s", offsetof(struct traffic_total, bit_per_s)},
	{0},
};

const struct metric metrics_of_symbol[] = {
	{"self_s", "s", offsetof(struct profile_symbol, self_ps)},
	{"total_s", "s", offsetof(struct profile_symbol, total_ps)},
	{"calls", "count", offsetof(struct profile_symbol, calls)},
	{0},
};

uint64_t
metric_value(const struct metric *m, const void *object)
{
	return *(const uint64_t *)((const char *)object + m->offset);
}

void
metric_append(const struct metric *m, const void *object, GString *out)
{
	uint64_t value = metric_value(m, object);

	if (m->unit[0] == 's')
		text_seconds(out, value);
	else if (m->unit[0] == 'M') /* what is kept is a millionth of it */
		text_seconds(out, value * (PS_PER_S / 1000000));
	else
		g_string_append_printf(out, "%" PRIu64, value);
}

bool
metric_table_used(const struct table_result *t)
{
	uint64_t any = 0;

#define X(name, help) any |= t->probes.name;
	PROBE_LIST(X)
#undef X
	return any != 0;
}
