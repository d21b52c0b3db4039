/* SPDX-License-Identifier: GPL-2.0-or-later */
/* context-aarch64.S - context_switch() for the AAPCS64. */

	.text

/* void context_switch(void **save, void *to)
 *
 * The callee-saved registers: x19 to x30 and the low halves of v8 to v15. */
	.globl	context_switch
	.hidden	context_switch
	.type	context_switch, %function
	.p2align 4
context_switch:
	.cfi_startproc
	sub	sp, sp, #160
	.cfi_adjust_cfa_offset 160
	stp	x19, x20, [sp, #0]
	stp	x21, x22, [sp, #16]
	stp	x23, x24, [sp, #32]
	stp	x25, x26, [sp, #48]
	stp	x27, x28, [sp, #64]
	stp	x29, x30, [sp, #80]
	.cfi_rel_offset x29, 80
	.cfi_rel_offset x30, 88
	stp	d8, d9, [sp, #96]
	stp	d10, d11, [sp, #112]
	stp	d12, d13, [sp, #128]
	stp	d14, d15, [sp, #144]
	mov	x9, sp
	str	x9, [x0]
	mov	sp, x1
	ldp	x19, x20, [sp, #0]
	ldp	x21, x22, [sp, #16]
	ldp	x23, x24, [sp, #32]
	ldp	x25, x26, [sp, #48]
	ldp	x27, x28, [sp, #64]
	ldp	x29, x30, [sp, #80]
	ldp	d8, d9, [sp, #96]
	ldp	d10, d11, [sp, #112]
	ldp	d12, d13, [sp, #128]
	ldp	d14, d15, [sp, #144]
	add	sp, sp, #160
	.cfi_adjust_cfa_offset -160
	.cfi_restore x29
	.cfi_restore x30
	br	x30
	.cfi_endproc
	.size	context_switch, . - context_switch

/* The first frame of a context: fn is in x19, data in x20.  Backtraces end here. */
	.globl	context_entry
	.hidden	context_entry
	.type	context_entry, %function
	.p2align 4
context_entry:
	.cfi_startproc
	.cfi_undefined x30
	mov	x0, x20
	blr	x19
	brk	#1
	.cfi_endproc
	.size	context_entry, . - context_entry

	.section .note.GNU-stack, "", %progbits
