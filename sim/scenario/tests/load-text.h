/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load-text.h - loads a scenario from a text, for the tests of the loader. */
#pragma once

#include "scenario/scenario.h"

/* An error's text is without the name of the file: ":LINE:COLUMN: ...". */
struct scenario *load_text(const char *text, const struct scenario_options *, GError **error);
