/* SPDX-License-Identifier: GPL-2.0-or-later */
/* context-x86_64.S - context_switch() for the System V ABI.
 *
 * A file of its own rather than inline assembly: without a CET property note
 * the linker knows that this program can't live with a shadow stack. */

	.text

/* void context_switch(void **save, void *to)
 *
 * Callee-saved registers go to the stack; the rest is dead at a call.  The way
 * out is a jump: a return would always be mispredicted, because the call that
 * it pairs with was made on another stack. */
	.globl	context_switch
	.hidden	context_switch
	.type	context_switch, @function
	.p2align 4
context_switch:
	.cfi_startproc
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r12, 0
	pushq	%r13
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r13, 0
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r14, 0
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r15, 0
	movq	%rsp, (%rdi)
	movq	%rsi, %rsp
	popq	%r15
	.cfi_adjust_cfa_offset -8
	.cfi_restore %r15
	popq	%r14
	.cfi_adjust_cfa_offset -8
	.cfi_restore %r14
	popq	%r13
	.cfi_adjust_cfa_offset -8
	.cfi_restore %r13
	popq	%r12
	.cfi_adjust_cfa_offset -8
	.cfi_restore %r12
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	popq	%rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbp
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	.cfi_register %rip, %rcx
	jmp	*%rcx
	.cfi_endproc
	.size	context_switch, . - context_switch

/* The first frame of a context: fn is in r12, data in rbx.  Backtraces end here. */
	.globl	context_entry
	.hidden	context_entry
	.type	context_entry, @function
	.p2align 4
context_entry:
	.cfi_startproc
	.cfi_undefined %rip
	movq	%rbx, %rdi
	call	*%r12
	ud2
	.cfi_endproc
	.size	context_entry, . - context_entry

	.section .note.GNU-stack, "", @progbits
