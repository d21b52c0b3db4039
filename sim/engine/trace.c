/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.c - trace events, written when they end.
 *
 * A task that gives its CPU back is in the middle of its functions: each of them gets an
 * event up to there, and another one from when the task runs again, perhaps elsewhere. */
#include "engine/trace.h"

#include "engine/engine-impl.h"

#define CHUNK 65536

struct frame {
	const char *symbol;
	uint64_t begin;
};

struct trace {
	void (*write)(const char *text, gsize length, void *data);
	void *data;
	GString *text; /* not yet written */
	uint64_t bytes, max_bytes;
	uint64_t left_out; /* events */
	uint64_t waits;    /* numbers them */
	uint64_t seen[CPU_WORDS];
};

struct trace *
trace_new(void (*write)(const char *text, gsize length, void *data), void *data, uint64_t max_bytes)
{
	struct trace *t = g_new0(struct trace, 1);

	t->write = write;
	t->data = data;
	t->max_bytes = max_bytes;
	t->text = g_string_new("[\n{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, "
			       "\"args\": {\"name\": \"CPUs\"}}");
	return t;
}

static void
flush(struct trace *t)
{
	t->bytes += t->text->len;
	t->write(t->text->str, t->text->len, t->data);
	g_string_truncate(t->text, 0);
}

void
trace_free(struct trace *t)
{
	if (!t)
		return;
	g_string_append(t->text, "\n]\n");
	flush(t);
	g_string_free(t->text, TRUE);
	g_free(t);
}

uint64_t
trace_left_out(const struct trace *t)
{
	return t->left_out;
}

/* Events */

/* Microseconds are what a trace counts in. */
static void
append_us(GString *text, const char *name, uint64_t ps)
{
	g_string_append_printf(text, ", \"%s\": %" G_GUINT64_FORMAT ".%06" G_GUINT64_FORMAT, name,
			       ps / PS_PER_US, ps % PS_PER_US);
}

/* Names of functions, tasks and locks; none of them has anything to escape but those of
 * work, which are a programmer's. */
static void
append_text(GString *text, const char *key, const char *name)
{
	g_string_append_printf(text, "\"%s\": \"", key);
	for (; *name; name++)
		g_string_append_c(text, *name == '"' || *name == '\\' || *name < ' ' ? '_' : *name);
	g_string_append_c(text, '"');
}

static void
append_name(GString *text, const char *name)
{
	g_string_append(text, ",\n{");
	append_text(text, "name", name);
}

/* False: there is none for one more event, which is counted. */
static bool
has_room(struct trace *t)
{
	if (t->bytes + t->text->len > t->max_bytes) {
		t->left_out++;
		return false;
	}
	if (t->text->len > CHUNK)
		flush(t);
	return true;
}

static void
name_cpu(struct trace *t, unsigned cpu)
{
	uint64_t bit = UINT64_C(1) << cpu % 64;

	if (t->seen[cpu / 64] & bit)
		return;
	t->seen[cpu / 64] |= bit;
	g_string_append_printf(t->text,
			       ",\n{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, "
			       "\"tid\": %u, \"args\": {\"name\": \"CPU %u\"}}",
			       cpu, cpu);
}

static void
append_slice(struct trace *t, const struct task *task, const struct frame *f, uint64_t end)
{
	if (end == f->begin || !has_room(t))
		return;
	append_name(t->text, f->symbol);
	g_string_append_printf(t->text, ", \"ph\": \"X\", \"pid\": 1, \"tid\": %u", task->cpu);
	append_us(t->text, "ts", f->begin);
	append_us(t->text, "dur", end - f->begin);
	g_string_append_c(t->text, '}');
}

static struct frame *
frame_at(const struct task *task, unsigned n)
{
	return &g_array_index(task->frames, struct frame, n);
}

void
trace_on(struct trace *t, struct task *task)
{
	name_cpu(t, task->cpu);
	if (!task->frames) {
		task->frames = g_array_new(FALSE, FALSE, sizeof(struct frame));
		trace_push(t, task, task->name, task->engine->now);
	}
	for (unsigned n = 0; n < task->frames->len; n++)
		frame_at(task, n)->begin = task->engine->now;
}

void
trace_off(struct trace *t, struct task *task)
{
	for (unsigned n = 0; n < task->frames->len; n++)
		append_slice(t, task, frame_at(task, n), task->engine->now);
}

void
trace_push(struct trace *t, struct task *task, const char *symbol, uint64_t ps)
{
	struct frame f = {symbol, ps};

	g_array_append_val(task->frames, f);
}

void
trace_pop(struct trace *t, struct task *task, uint64_t ps)
{
	append_slice(t, task, frame_at(task, task->frames->len - 1), ps);
	g_array_set_size(task->frames, task->frames->len - 1);
}

/* Several wait at a time, so these are no slices of a track. */
static void
append_wait(struct trace *t, const struct task *task, const char *lock, char phase, uint64_t ps)
{
	append_name(t->text, lock);
	g_string_append_printf(t->text,
			       ", \"cat\": \"wait\", \"ph\": \"%c\", \"pid\": 1, \"tid\": 0, "
			       "\"id\": %" G_GUINT64_FORMAT,
			       phase, t->waits);
	append_us(t->text, "ts", ps);
	g_string_append(t->text, ", \"args\": {");
	append_text(t->text, "task", task->name);
	g_string_append(t->text, "}}");
}

void
trace_wait(struct trace *t, const struct task *task, const char *lock, uint64_t from_ps,
	   uint64_t to_ps)
{
	if (from_ps == to_ps || !has_room(t))
		return;
	t->waits++;
	append_wait(t, task, lock, 'b', from_ps);
	append_wait(t, task, lock, 'e', to_ps);
}
