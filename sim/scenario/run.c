/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.c - runs a scenario: a task plays the user, who starts one process after
 * the other and waits for each, as a shell does. */
#include "scenario/run.h"

#include <string.h>

#include "cost/machine.h"
#include "iproute/command.h"
#include "net/netdevice.h"
#include "scenario/choose.h"
#include "scenario/record.h"

struct runner {
	const struct scenario *scenario;
	const struct run_options *options;
	struct choices choices;
	struct machine *machine;
	struct engine *engine;
	struct kernel *kernel;
	struct meter *meter;
	struct run_result *result;
	GChecksum *fingerprint;
	GError *error; /* what no answer can say: a command that makes no sense */
	bool recording, stop;

	/* The phase and the command that run now.  Not on the user's stack, which
	 * is forgotten where it stands if the engine gives up. */
	struct record *record;
	GString *line;
	struct command *command;
	struct answer answer;
};

/* One command line */

static void
process_main(void *data)
{
	struct runner *r = data;

	task_charge(r->engine, machine_process_start_ps(r->machine));
	command_run(r->command, r->kernel, &r->answer);
	task_charge(r->engine, machine_process_exit_ps(r->machine));
}

static void
fingerprint_text(struct runner *r, const char *text)
{
	g_checksum_update(r->fingerprint, (const guchar *)text, (gssize)strlen(text) + 1);
}

static void
fingerprint_answer(struct runner *r, const struct answer *a)
{
	g_autofree char *status = g_strdup_printf("%d", a->status);

	fingerprint_text(r, r->line->str);
	fingerprint_text(r, status);
	fingerprint_text(r, a->output->str);
	fingerprint_text(r, a->error->str);
}

static void
log_command(struct runner *r, const struct phase *phase, uint64_t start, const struct answer *a)
{
	json_t *entry;
	char *text;

	if (!r->options->log)
		return;
	entry = json_pack("{s:s, s:s, s:i, s:s, s:s, s:f, s:f}", "phase", phase->name, "command",
			  r->line->str, "status", a->status, "output", a->output->str, "error",
			  a->error->str, "start_s", (double)start / PS_PER_S, "end_s",
			  (double)engine_now(r->engine) / PS_PER_S);
	text = json_dumps(entry, JSON_COMPACT | JSON_REAL_PRECISION(15));
	r->options->log(text, strlen(text), r->options->log_data);
	r->options->log("\n", 1, r->options->log_data);
	free(text);
	json_decref(entry);
}

/* The first line of what a failed command said, or its exit status. */
static char *
answer_text(const struct answer *a)
{
	if (a->error->len > 0)
		return g_strndup(a->error->str, strcspn(a->error->str, "\n"));
	return g_strdup_printf("exit status %d", a->status);
}

static void
fail(struct runner *r, const struct step *step)
{
	g_autofree char *text = answer_text(&r->answer);

	r->stop = true;
	r->result->failure = g_strdup_printf("%s:%u:%u: %s: %s", r->scenario->file, step->line,
					     step->column, r->line->str, text);
}

static bool
process_init(struct runner *r, const struct step *step)
{
	r->command = command_parse(r->line->str, NULL, &r->error);
	if (!r->command) {
		g_prefix_error(&r->error, "%s:%u:%u: %s: ", r->scenario->file, step->line,
			       step->column, r->line->str);
		r->stop = true;
		return false;
	}
	r->answer.output = g_string_new(NULL);
	r->answer.error = g_string_new(NULL);
	return true;
}

static void
process_clear(struct runner *r)
{
	if (!r->command)
		return;
	g_clear_pointer(&r->command, command_free);
	g_string_free(r->answer.output, TRUE);
	g_string_free(r->answer.error, TRUE);
}

static void
run_line(struct runner *r, const struct phase *phase, struct phase_result *result,
	 const struct step *step)
{
	uint64_t start = engine_now(r->engine);

	if (!process_init(r, step))
		return;
	task_join(task_start(r->engine, "ip", process_main, r));
	result->commands++;
	result->failed += r->answer.status != 0;
	if (r->recording) {
		fingerprint_answer(r, &r->answer);
		log_command(r, phase, start, &r->answer);
	}
	if (r->answer.status != 0 && !step->may_fail && !phase->keep_going)
		fail(r, step);
	process_clear(r);
}

/* Phases */

static void
run_lines(struct runner *r, const struct phase *phase, struct phase_result *result)
{
	const struct run_options *o = r->options;
	struct command_iter iter;
	const struct step *step;

	command_iter_init(&iter, r->scenario, phase);
	while (!r->stop && (step = command_iter_next(&iter, r->line))) {
		run_line(r, phase, result, step);
		if (o->progress)
			o->progress(phase->name, result->commands, engine_now(r->engine),
				    o->progress_data);
	}
}

/* What a phase left in queues counts as its own, but not in its time; what it
 * left to timers, too, as far as 'settle' waits for them. */
static void
run_phase(struct runner *r, const struct phase *phase)
{
	struct phase_result *result = phase_result_new(phase->name);
	int64_t settle = phase->settle ? scenario_seconds(r->scenario, phase->settle) : 0;

	g_ptr_array_add(r->result->phases, result);
	r->record = record_begin(r->kernel);
	result->published_s = phase->published_s;
	result->start_ps = engine_now(r->engine);
	run_lines(r, phase, result);
	if (phase->until_idle)
		kernel_wait_netns(r->kernel);
	result->end_ps = engine_now(r->engine);
	kernel_flush(r->kernel);
	task_sleep(r->engine, (uint64_t)settle * PS_PER_S);
	record_end(r->record, r->kernel, result);
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

static void
finish_result(struct runner *r)
{
	struct run_result *result = r->result;
	char *text;

	result->state = final_state(r->kernel);
	text = json_dumps(result->state, JSON_COMPACT | JSON_SORT_KEYS);
	fingerprint_text(r, text);
	free(text);
	g_strlcpy(result->fingerprint, g_checksum_get_string(r->fingerprint),
		  sizeof result->fingerprint);
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
	if (!r->error)
		finish_result(r);
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
	struct engine_config engine = {.cpus = machine_cpus(r->machine),
				       .grace_ps = machine_grace_ps(r->machine),
				       .meter = take_price,
				       .meter_data = r};
	struct kernel_config kernel = {.options = r->scenario->kernel,
				       .seed = r->options->seed,
				       .rcu_flavor = r->options->rcu_flavor,
				       .choose = choices_get,
				       .choose_data = &r->choices};

	r->engine = kernel.engine = engine_new(&engine);
	r->kernel = kernel_new(&kernel);
	r->meter = meter_new(r->machine, r->kernel->table_kinds, table_spec_count(),
			     &r->kernel->calls);
	r->fingerprint = g_checksum_new(G_CHECKSUM_SHA256);
	r->line = g_string_new(NULL);
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

/* A kernel whose tasks the engine has given up on can't be taken down: they
 * stand in the middle of what they do, and hold its locks.  It stays until the
 * program ends, which is soon; here, because leak checkers ask where. */
static struct kernel *volatile wreck;

static void
free_parts(struct runner *r, bool wrecked)
{
	stop_tracing(&r->kernel->calls);
	process_clear(r);
	g_clear_pointer(&r->record, record_free);
	g_string_free(r->line, TRUE);
	g_checksum_free(r->fingerprint);
	g_clear_pointer(&r->meter, meter_free);
	if (wrecked) {
		wreck = r->kernel;
		return;
	}
	kernel_free(r->kernel);
	engine_free(r->engine);
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
static const char *
machine_of(const struct scenario *scenario, const struct run_options *options)
{
	if (options->machine)
		return options->machine;
	return scenario->machine ? scenario->machine : "none";
}

struct run_result *
scenario_run(const struct scenario *scenario, const struct run_options *options, GError **error)
{
	struct runner r = {.scenario = scenario, .options = options};

	if (!choices_init(&r.choices, scenario, options->backends, error))
		return NULL;
	r.machine = machine_load(machine_of(scenario, options), error);
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
