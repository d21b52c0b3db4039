/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.c - runs a scenario: a task plays the user, who starts one process after
 * the other and waits for each that is not sent to the background, as a shell does. */
#include "scenario/run.h"

#include <string.h>

#include "cost/machine.h"
#include "engine/trace.h"
#include "net/netdevice.h"
#include "scenario/choose.h"
#include "scenario/job.h"
#include "scenario/journal.h"
#include "scenario/kernel-option.h"
#include "scenario/record.h"

struct runner {
	const struct scenario *scenario;
	const struct run_options *options;
	struct choices choices;
	struct machine *machine;
	struct engine *engine;
	struct kernel *kernel;
	struct meter *meter;
	struct profile *profile; /* or null */
	struct trace *events;    /* or null */
	struct run_result *result;
	struct journal journal;
	GError *error; /* what no answer can say: a command that makes no sense */
	bool recording, stop;

	/* What runs now.  Not on the user's stack, which is forgotten where it stands
	 * if the engine gives up. */
	struct record *record;
	GString *line;
	struct job *job;
	GPtrArray *background; /* struct job, in order of their start */
};

/* Where a phase stands. */
struct progress {
	const struct phase *phase;
	struct phase_result *result;
};

/* Command lines */

/* The first line of what a failed command said, or its exit status. */
static char *
answer_text(const struct answer *a)
{
	if (a->error->len > 0)
		return g_strndup(a->error->str, strcspn(a->error->str, "\n"));
	return g_strdup_printf("exit status %d", a->status);
}

/* The first failure is the one that a shell would have ended with. */
static void
fail(struct runner *r, const struct job *job)
{
	g_autofree char *text = answer_text(&job->answer);

	r->stop = true;
	if (!r->result->failure)
		r->result->failure =
			g_strdup_printf("%s:%u:%u: %s: %s", r->scenario->file, job->step->line,
					job->step->column, job->line, text);
}

/* A command has ended. */
static void
take_answer(struct runner *r, const struct progress *p, const struct job *job)
{
	bool failed = job->answer.status != 0;

	p->result->commands++;
	p->result->failed += failed;
	if (r->recording)
		journal_add(&r->journal, p->phase, job);
	if (failed && !job->step->may_fail && !p->phase->keep_going)
		fail(r, job);
}

static void
wait_for_background(struct runner *r, const struct progress *p)
{
	for (unsigned n = 0; n < r->background->len; n++) {
		struct job *job = g_ptr_array_index(r->background, n);

		job_wait(job);
		take_answer(r, p, job);
	}
	g_ptr_array_set_size(r->background, 0);
}

/* The shell's own 'wait' is no process. */
static void
run_wait(struct runner *r, const struct progress *p)
{
	r->job->start_ps = engine_now(r->engine);
	wait_for_background(r, p);
	r->job->end_ps = engine_now(r->engine);
	take_answer(r, p, r->job);
}

static void
run_job(struct runner *r, const struct progress *p)
{
	switch (command_manner(r->job->command)) {
	case COMMAND_WAIT:
		run_wait(r, p);
		break;
	case COMMAND_BACKGROUND:
		job_start(r->job, r->kernel, r->machine);
		g_ptr_array_add(r->background, g_steal_pointer(&r->job));
		break;
	case COMMAND_FOREGROUND:
		job_start(r->job, r->kernel, r->machine);
		job_wait(r->job);
		take_answer(r, p, r->job);
		break;
	}
	g_clear_pointer(&r->job, job_free);
}

static void
run_line(struct runner *r, const struct progress *p, const struct step *step)
{
	r->job = job_new(r->scenario, step, r->line->str, &r->error);
	if (r->job)
		run_job(r, p);
	else
		r->stop = true;
}

/* Phases */

static void
run_lines(struct runner *r, const struct progress *p)
{
	const struct run_options *o = r->options;
	struct command_iter iter;
	const struct step *step;

	command_iter_init(&iter, r->scenario, p->phase);
	while (!r->stop && (step = command_iter_next(&iter, r->line))) {
		run_line(r, p, step);
		if (o->progress)
			o->progress(p->phase->name, p->result->commands, engine_now(r->engine),
				    o->progress_data);
	}
	wait_for_background(r, p);
}

static void
take_profile(struct runner *r, struct phase_result *result)
{
	const struct run_options *o = r->options;
	g_autoptr(GString) text = g_string_new(NULL);

	if (o->profile)
		result->profile = profile_symbols(r->profile);
	if (!o->folded || !r->recording)
		return;
	profile_folded(r->profile, result->name, text);
	o->folded(text->str, text->len, o->folded_data);
}

/* What a phase left in queues counts as its own, but not in its time; what it
 * left to timers, too, as far as 'settle' waits for them. */
static void
run_phase(struct runner *r, const struct phase *phase)
{
	struct phase_result *result = phase_result_new(phase->name);
	const struct progress progress = {phase, result};
	int64_t settle = phase->settle ? scenario_seconds(r->scenario, phase->settle) : 0;

	g_ptr_array_add(r->result->phases, result);
	r->record = record_begin(r->kernel);
	if (r->profile)
		profile_reset(r->profile);
	result->published = phase->published;
	result->start_ps = engine_now(r->engine);
	run_lines(r, &progress);
	if (phase->until_idle)
		kernel_wait_netns(r->kernel);
	result->end_ps = engine_now(r->engine);
	kernel_flush(r->kernel);
	task_sleep(r->engine, (uint64_t)settle * PS_PER_S);
	record_end(r->record, r->kernel, result);
	if (r->profile)
		take_profile(r, result);
	g_clear_pointer(&r->record, record_free);
}

static void
run_unrecorded(struct runner *r)
{
	const GPtrArray *phases = r->scenario->phases;

	for (unsigned n = 0; n + 1 < phases->len && !r->stop; n++)
		run_phase(r, phases->pdata[n]);
	g_ptr_array_set_size(r->result->phases, 0);
}

static void
start_recording(struct runner *r)
{
	struct calls *calls = &r->kernel->calls;

	r->recording = true;
	if (!r->options->trace)
		return;
	calls->trace = g_string_new(NULL);
	calls->flush = r->options->trace;
	calls->flush_data = r->options->trace_data;
}

/* The result */

static json_t *
final_state(const struct kernel *k)
{
	json_t *state = json_object();

	for (struct net *net = k->nets; net; net = net->next)
		json_object_set_new(state, net->name,
				    json_pack("{s:o, s:o, s:o}", "link", show_link(net), "addr",
					      show_addr(net), "maddr", show_maddr(net)));
	return state;
}

/* How long after the last command, and the end of the last deleted namespace, the
 * state is looked at: what the commands began (DAD, carriers) is over then, and
 * what lasts for days, as an address does that has a lifetime, has not ended. */
#define LAST_SETTLE_PS (10 * PS_PER_S)

static void
run_recorded(struct runner *r)
{
	const GPtrArray *phases = r->scenario->phases;

	for (unsigned n = 0; n < phases->len && !r->stop; n++)
		run_phase(r, phases->pdata[n]);
}

static void
user_main(void *data)
{
	struct runner *r = data;

	kernel_boot(r->kernel);
	if (r->scenario->previous_namespace)
		run_unrecorded(r);
	start_recording(r);
	run_recorded(r);
	kernel_wait_netns(r->kernel);
	task_sleep(r->engine, LAST_SETTLE_PS);
	if (!r->error) {
		r->result->state = final_state(r->kernel);
		journal_finish(&r->journal, r->result);
	}
	engine_stop(r->engine);
}

static void
describe(struct runner *r)
{
	const struct scenario *s = r->scenario;
	struct run_result *result = r->result;

	result->scenario = g_strdup(s->name);
	result->about = g_strdup(s->about);
	result->source = g_strdup(s->source);
	result->variant = g_strdup(s->variant);
	result->machine = g_strdup(machine_name(r->machine));
	result->params = json_deep_copy(s->params);
	result->kernel = kernel_option_json(&s->kernel);
	result->seed = r->options->seed;
}

/* The parts */

/* The engine is there before what its meter reads. */
static uint64_t
take_price(void *data)
{
	struct runner *r = data;

	return r->meter ? meter_take(r->meter) : 0;
}

static void
make_parts(struct runner *r)
{
	const struct run_options *o = r->options;

	if (o->profile || o->folded || o->events)
		r->profile = profile_new();
	if (o->events)
		r->events = trace_new(o->events, o->events_data, RUN_EVENTS_MAX_BYTES);

	struct engine_config engine = {.cpus = machine_cpus(r->machine),
				       .topology = machine_topology(r->machine),
				       .grace_ps = machine_grace_ps(r->machine),
				       .meter = take_price,
				       .meter_data = r,
				       .profile = r->profile,
				       .trace = r->events};
	struct kernel_config kernel = {.options = r->scenario->kernel,
				       .seed = r->options->seed,
				       .rcu_flavor = r->options->rcu_flavor,
				       .choose = choices_get,
				       .choose_data = &r->choices};

	for (unsigned d = 0; d < CPU_DISTANCES; d++)
		engine.line_ps[d] = machine_line_ps(r->machine, d);
	r->engine = kernel.engine = engine_new(&engine);
	r->kernel = kernel_new(&kernel);
	r->kernel->calls.profile = r->profile;
	r->meter = meter_new(r->machine, r->kernel->table_kinds, table_spec_count(),
			     &r->kernel->calls);
	journal_init(&r->journal, r->options);
	r->line = g_string_new(NULL);
	r->background = g_ptr_array_new_with_free_func(job_free);
	r->result = run_result_new();
	describe(r);
}

static void
stop_tracing(struct calls *calls)
{
	if (!calls->trace)
		return;
	call_trace_flush(calls);
	g_string_free(calls->trace, TRUE);
	calls->trace = NULL;
}

static void
end_trace(struct runner *r)
{
	if (r->events)
		r->result->events_left_out = trace_left_out(r->events);
	trace_free(r->events);
}

/* A kernel whose tasks the engine has given up on can't be taken down: they
 * stand in the middle of what they do, and hold its locks.  It stays until the
 * program ends, which is soon; here, because leak checkers ask where. */
static struct kernel *volatile wreck;

static void
free_parts(struct runner *r, bool wrecked)
{
	stop_tracing(&r->kernel->calls);
	g_clear_pointer(&r->job, job_free);
	g_ptr_array_unref(r->background);
	g_clear_pointer(&r->record, record_free);
	g_string_free(r->line, TRUE);
	journal_clear(&r->journal);
	g_clear_pointer(&r->meter, meter_free);
	if (wrecked) {
		wreck = r->kernel;
		return;
	}
	kernel_free(r->kernel);
	engine_free(r->engine);
	profile_free(r->profile);
	end_trace(r);
}

static void
play(struct runner *r)
{
	g_autoptr(GError) error = NULL;
	bool ended;

	make_parts(r);
	task_detach(task_start(r->engine, "user", user_main, r));
	ended = engine_run(r->engine, &error);
	if (!r->error)
		r->error = g_steal_pointer(&error);
	free_parts(r, !ended);
}

/* Without a machine nothing is predicted, but events still need an order. */
const char *
scenario_machine(const struct scenario *scenario, const char *asked)
{
	if (asked)
		return asked;
	return scenario->machine ? scenario->machine : "none";
}

struct run_result *
scenario_run(const struct scenario *scenario, const struct run_options *options, GError **error)
{
	struct runner r = {.scenario = scenario, .options = options};

	if (!choices_init(&r.choices, scenario, options->backends, error))
		return NULL;
	r.machine =
		machine_load_set(scenario_machine(scenario, options->machine), options->set, error);
	if (r.machine)
		play(&r);
	machine_free(r.machine);
	choices_clear(&r.choices);
	if (r.error) {
		g_propagate_error(error, r.error);
		g_clear_pointer(&r.result, run_result_free);
	}
	return r.result;
}
