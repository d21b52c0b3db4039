/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process.c - a command while it runs: what it prints, and how libnetlink tells
 * the kernel's answers. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "iproute/command-impl.h"
#include "net/netdevice.h"

void
process_print(struct process *p, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_string_append_vprintf(p->answer->output, format, args);
	va_end(args);
}

void
process_fail(struct process *p, int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_string_append_vprintf(p->answer->error, format, args);
	va_end(args);
	p->answer->status = status;
}

static void
print_ack(struct process *p, const char *how, const char *message)
{
	g_string_append_printf(p->answer->error, "%s: %s%s\n", how, message,
			       g_str_has_suffix(message, ".") ? "" : ".");
}

bool
process_talked(struct process *p, int result, const struct ext_ack *ack)
{
	if (*ack->message)
		print_ack(p, result ? "Error" : "Warning", ack->message);
	else if (result)
		g_string_append_printf(p->answer->error, "RTNETLINK answers: %s\n",
				       error_text(result));
	if (result)
		p->answer->status = 2;
	return result == 0;
}

int
process_link(struct process *p, const char *name)
{
	int ifindex = 0;

	for (unsigned i = 0; i < p->known_count; i++)
		if (strcmp(p->known[i].name, name) == 0)
			return p->known[i].ifindex;
	if (strlen(name) >= IFNAMSIZ || rtnl_getlink(p->net, name, &ifindex) != 0)
		return 0;
	if (p->known_count < G_N_ELEMENTS(p->known))
		p->known[p->known_count++] = (struct known_link){g_strdup(name), ifindex};
	return ifindex;
}

int
process_vrf(struct process *p, const char *name)
{
	int ifindex = process_link(p, name), again;
	const struct net_device *dev;

	/* name_is_vrf() asks for the device a second time. */
	if (!ifindex || rtnl_getlink(p->net, name, &again) != 0)
		return 0;
	for (dev = p->net->first; dev && dev->ifindex != ifindex;)
		dev = dev->next;
	return dev && dev->kind && strcmp(dev->kind->name, "vrf") == 0 ? ifindex : 0;
}

static const struct {
	int error;
	const char *text;
} texts[] = {
	{EPERM, "Operation not permitted"},
	{ENOENT, "No such file or directory"},
	{ESRCH, "No such process"},
	{EIO, "Input/output error"},
	{ENXIO, "No such device or address"},
	{E2BIG, "Argument list too long"},
	{EAGAIN, "Resource temporarily unavailable"},
	{ENOMEM, "Cannot allocate memory"},
	{EACCES, "Permission denied"},
	{EBUSY, "Device or resource busy"},
	{EEXIST, "File exists"},
	{EXDEV, "Invalid cross-device link"},
	{ENODEV, "No such device"},
	{EINVAL, "Invalid argument"},
	{ENFILE, "Too many open files in system"},
	{EFBIG, "File too large"},
	{ENOSPC, "No space left on device"},
	{EMLINK, "Too many links"},
	{ERANGE, "Numerical result out of range"},
	{ENOSYS, "Function not implemented"},
	{ENOTEMPTY, "Directory not empty"},
	{ELOOP, "Too many levels of symbolic links"},
	{EPROTO, "Protocol error"},
	{EOVERFLOW, "Value too large for defined data type"},
	{ENOTUNIQ, "Name not unique on network"},
	{EMSGSIZE, "Message too long"},
	{EPROTONOSUPPORT, "Protocol not supported"},
	{EOPNOTSUPP, "Operation not supported"},
	{EPFNOSUPPORT, "Protocol family not supported"},
	{EAFNOSUPPORT, "Address family not supported by protocol"},
	{EADDRINUSE, "Address already in use"},
	{EADDRNOTAVAIL, "Cannot assign requested address"},
	{ENETDOWN, "Network is down"},
	{ENETUNREACH, "Network is unreachable"},
	{ENOBUFS, "No buffer space available"},
	{ENOTCONN, "Transport endpoint is not connected"},
	{ETIMEDOUT, "Connection timed out"},
	{ECONNREFUSED, "Connection refused"},
	{EHOSTUNREACH, "No route to host"},
	{EALREADY, "Operation already in progress"},
};

const char *
error_text(int error)
{
	int positive = error < 0 ? -error : error;

	for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++)
		if (texts[i].error == positive)
			return texts[i].text;
	return "Unknown error";
}
