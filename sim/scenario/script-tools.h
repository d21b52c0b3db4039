/* SPDX-License-Identifier: GPL-2.0-or-later */
/* script-tools.h - what a script for a real kernel has to bring along. */
#pragma once

#include "scenario/scenario.h"

/* Those programs that the scenario's commands run and a host does not have. */
void script_append_tools(GString *out, const struct scenario *);
