/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cat.c - cat(1) of a file that the kernel makes: /proc/net/xfrm_stat. */
#include <string.h>

#include "iproute/command-impl.h"
#include "net/xfrm-packet.h"

static void
cat_run(struct process *p, const void *data)
{
	xfrm_statistics_seq_show(p->net, p->answer->output);
}

static const struct command_type cat_type = {.run = cat_run};

bool
cat_parse(struct args *a, struct command *c, const char *input)
{
	if (!args_left(a))
		return args_error_next(a, "cat: a file is missing: /proc/net/xfrm_stat");
	if (strcmp(args_take(a), "/proc/net/xfrm_stat") != 0)
		return args_not_simulated(a, "cat of other files than /proc/net/xfrm_stat");
	if (args_left(a)) {
		a->at++;
		return args_not_simulated(a, "cat of more than one file");
	}
	return command_becomes(c, &cat_type, NULL);
}
