/** Running `cb tickets refund`: asks everything, sends one write, and prints the command that does the same. */
import type { Day } from '../../dates/day.ts';
import { tickets } from '../../operations/tickets.ts';
import { refundsMoney } from '../../workflows/refund/ticket.ts';
import { dryRun } from '../endpoint/dry-run.ts';
import { writeOne } from '../endpoint/endpoint-write.ts';
import { isArgument, kebab } from '../flags/flags.ts';
import { type OutputOptions, wireFor } from '../flags/show-flags.ts';
import { problemWith } from '../flags/values.ts';
import { writeOptions } from '../flags/write-options.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { todayOf } from '../session/service-clock.ts';
import { serviceName, withApi } from '../session/session.ts';
import { type Draft, subjectOf } from './draft.ts';
import { findSteps } from './find-steps.ts';
import { type DraftedWrite, review, writeOf } from './review-step.ts';
import { runSteps } from './steps.ts';
import { ticketSteps } from './ticket-steps.ts';
import type { WizardContext } from './wizard-context.ts';

export interface RefundFlags {
  readonly dryRun?: boolean;
  readonly allowDuplicate?: boolean;
  readonly verifyWait?: string;
}

export async function refund(
  cmd: CommandContext,
  output: OutputOptions,
  receipt: string | undefined,
  flags: RefundFlags,
): Promise<void> {
  requireTerminal(cmd);
  const today = await todayOf(cmd);
  if (receipt !== undefined) requireReceipt(receipt, today);
  const prompts = await cmd.context.prompts();
  const { messages, context } = cmd;
  const width = Math.max(20, context.stderr.columns ?? 80);
  await withApi(cmd, wireFor(output), async (api, session) => {
    const wizard: WizardContext = { api, prompts, messages, today, width };
    const steps = [...findSteps(wizard, receipt), ...ticketSteps(wizard)];
    if (!flags.dryRun) steps.push(review(wizard, serviceName(session)));
    const draft = await runSteps<Draft>(steps, {});
    const write = writeOf(draft);
    const { operation, args } = write;
    if (flags.dryRun) await dryRun({ cmd, operation, each: [args], output, flags }, api);
    else await send(cmd, wizard, output, { draft, write }, flags);
    messages.say('The same without questions:');
    messages.say(commandLine(cmd, draft, write, flags));
  });
}

function requireTerminal({ mayAsk }: CommandContext): void {
  if (mayAsk) return;
  throw usage('The wizard needs a terminal.', {
    hint: 'In scripts use cb tickets create, which has a flag for everything.',
    next: 'cb tickets create --help',
  });
}

function requireReceipt(receipt: string, today: Day): void {
  const problem = problemWith(tickets.create.params.receipt, receipt, today);
  if (problem) throw usage(`<receipt> ${problem}`);
}

async function send(
  cmd: CommandContext,
  { api }: WizardContext,
  output: OutputOptions,
  { draft, write }: { readonly draft: Draft; readonly write: DraftedWrite },
  flags: RefundFlags,
): Promise<void> {
  const { operation, args } = write;
  const reply = await writeOne({ cmd, operation, output }, api, args, writeOptions(cmd, flags));
  const id = (reply as { ticketid?: string } | undefined)?.ticketid;
  if (!subjectOf(draft).item.shippable || !refunds(draft) || id === undefined) return;
  cmd.messages.say(`When the item is returned, complete the refund: cb tickets returned ${id}`);
}

function refunds(draft: Draft): boolean {
  return draft.type !== undefined && refundsMoney(draft.type, subjectOf(draft));
}

/** The command line that sends the same request without questions, to the same service. */
function commandLine(
  { flags: { sandbox, profile } }: CommandContext,
  draft: Draft,
  { operation, args }: DraftedWrite,
  { allowDuplicate }: RefundFlags,
): string {
  const words = Object.entries(args).map(([name, value]) => {
    const typed = quoted(String(value));
    if (isArgument(operation, name)) return typed;
    if (typeof value === 'boolean') return value ? `--${kebab(name)}` : `--no-${kebab(name)}`;
    return `--${kebab(name)} ${typed}`;
  });
  const more = [
    ...(sandbox ? ['--sandbox'] : []),
    ...(profile !== undefined ? [`--profile ${quoted(profile)}`] : []),
    ...(allowDuplicate ? ['--allow-duplicate'] : []),
    ...(draft.type === 'cncl' && refunds(draft) ? ['--allow-refund'] : []),
    '--yes',
  ];
  return ['cb', operation.command, ...words, ...more].join(' ');
}

/** As it is where a POSIX shell sees nothing in it, else between single quotes. */
function quoted(text: string): string {
  return /^[\w%+,./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
