/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfrm-proc.c - why packets were dropped: /proc/net/xfrm_stat.
 *
 * Models net/xfrm/xfrm_proc.c (Linux 5.10 and 6.1). */
#include "net/xfrm-packet.h"

extern const struct net_module net_module_xfrm_proc;

static const struct {
	const char *name;
	unsigned mib;
} xfrm_mib_list[] = {
	{"XfrmInError", LINUX_MIB_XFRMINERROR},
	{"XfrmInBufferError", LINUX_MIB_XFRMINBUFFERERROR},
	{"XfrmInHdrError", LINUX_MIB_XFRMINHDRERROR},
	{"XfrmInNoStates", LINUX_MIB_XFRMINNOSTATES},
	{"XfrmInStateProtoError", LINUX_MIB_XFRMINSTATEPROTOERROR},
	{"XfrmInStateModeError", LINUX_MIB_XFRMINSTATEMODEERROR},
	{"XfrmInStateSeqError", LINUX_MIB_XFRMINSTATESEQERROR},
	{"XfrmInStateExpired", LINUX_MIB_XFRMINSTATEEXPIRED},
	{"XfrmInStateMismatch", LINUX_MIB_XFRMINSTATEMISMATCH},
	{"XfrmInStateInvalid", LINUX_MIB_XFRMINSTATEINVALID},
	{"XfrmInTmplMismatch", LINUX_MIB_XFRMINTMPLMISMATCH},
	{"XfrmInNoPols", LINUX_MIB_XFRMINNOPOLS},
	{"XfrmInPolBlock", LINUX_MIB_XFRMINPOLBLOCK},
	{"XfrmInPolError", LINUX_MIB_XFRMINPOLERROR},
	{"XfrmOutError", LINUX_MIB_XFRMOUTERROR},
	{"XfrmOutBundleGenError", LINUX_MIB_XFRMOUTBUNDLEGENERROR},
	{"XfrmOutBundleCheckError", LINUX_MIB_XFRMOUTBUNDLECHECKERROR},
	{"XfrmOutNoStates", LINUX_MIB_XFRMOUTNOSTATES},
	{"XfrmOutStateProtoError", LINUX_MIB_XFRMOUTSTATEPROTOERROR},
	{"XfrmOutStateModeError", LINUX_MIB_XFRMOUTSTATEMODEERROR},
	{"XfrmOutStateSeqError", LINUX_MIB_XFRMOUTSTATESEQERROR},
	{"XfrmOutStateExpired", LINUX_MIB_XFRMOUTSTATEEXPIRED},
	{"XfrmOutPolBlock", LINUX_MIB_XFRMOUTPOLBLOCK},
	{"XfrmOutPolDead", LINUX_MIB_XFRMOUTPOLDEAD},
	{"XfrmOutPolError", LINUX_MIB_XFRMOUTPOLERROR},
	{"XfrmFwdHdrError", LINUX_MIB_XFRMFWDHDRERROR},
	{"XfrmOutStateInvalid", LINUX_MIB_XFRMOUTSTATEINVALID},
	{"XfrmAcquireError", LINUX_MIB_XFRMACQUIREERROR},
};

struct xfrm_mib {
	uint64_t count[LINUX_MIB_XFRMACQUIREERROR + 1];
};

static struct xfrm_mib *
mib_of(const struct net *net)
{
	return net_module_state(net, &net_module_xfrm_proc);
}

void
xfrm_inc_stats(struct net *net, unsigned mib)
{
	g_assert(mib <= LINUX_MIB_XFRMACQUIREERROR);
	mib_of(net)->count[mib]++;
}

void
xfrm_statistics_seq_show(struct net *net, GString *out)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(xfrm_mib_list); i++)
		g_string_append_printf(out, "%-24s\t%" G_GUINT64_FORMAT "\n", xfrm_mib_list[i].name,
				       mib_of(net)->count[xfrm_mib_list[i].mib]);
}

const struct net_module net_module_xfrm_proc = {
	.name = "xfrm-proc",
	.net_size = sizeof(struct xfrm_mib),
};
