/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.c - runs one command line as a process of its own. */
#include "scenario/job.h"

struct job *
job_new(const struct scenario *s, const struct step *step, const char *line, GError **error)
{
	struct command *command = command_parse(line, NULL, error);
	struct job *job;

	if (!command) {
		g_prefix_error(error, "%s:%u:%u: %s: ", s->file, step->line, step->column, line);
		return NULL;
	}
	job = g_new0(struct job, 1);
	job->step = step;
	job->line = g_strdup(line);
	job->command = command;
	job->answer.output = g_string_new(NULL);
	job->answer.error = g_string_new(NULL);
	job->answer.recvmsg = g_array_new(FALSE, FALSE, sizeof(unsigned));
	return job;
}

void
job_free(void *data)
{
	struct job *job = data;

	g_free(job->line);
	command_free(job->command);
	g_string_free(job->answer.output, TRUE);
	g_string_free(job->answer.error, TRUE);
	g_array_unref(job->answer.recvmsg);
	g_free(job);
}

static void
process_main(void *data)
{
	struct job *job = data;
	struct engine *engine = job->kernel->engine;

	profile_program(job->kernel->calls.profile, command_program(job->command));
	task_charge(engine, machine_process_start_ps(job->machine));
	command_run(job->command, job->kernel, &job->answer);
	task_charge(engine, machine_process_exit_ps(job->machine));
	task_sync(engine);
	job->end_ps = engine_now(engine);
}

/* One that the machine does not have is counted on from the first again. */
static unsigned
cpu_of(const struct job *job, const struct kernel *k)
{
	int cpu = command_cpu(job->command);

	return cpu < 0 ? TASK_ANY_CPU : (unsigned)cpu % engine_cpus(k->engine);
}

void
job_start(struct job *job, struct kernel *k, const struct machine *machine)
{
	job->kernel = k;
	job->machine = machine;
	job->start_ps = engine_now(k->engine);
	job->task = task_start_on(k->engine, command_program(job->command), cpu_of(job, k),
				  process_main, job);
}

void
job_wait(struct job *job)
{
	task_join(job->task);
}
