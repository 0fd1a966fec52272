/** Runs `cb tickets refund`: asks all questions, sends one write, and prints the equivalent command. */
import type { Day } from '../../dates/day.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { tickets } from '../../operations/tickets.ts';
import { type MoneyTicket, refundsMoney, ticketArguments } from '../../workflows/refund/ticket.ts';
import { planWrite, statementOf } from '../../workflows/safe-write/confirmation.ts';
import { dryRun, requestText } from '../endpoint/dry-run.ts';
import { writeOne } from '../endpoint/endpoint-write.ts';
import { readChoice, rememberChoice } from '../endpoint/recent.ts';
import { isArgument, kebab } from '../flags/flags.ts';
import { type OutputOptions, wireFor } from '../flags/show-flags.ts';
import { problemWith } from '../flags/values.ts';
import { writeOptions } from '../flags/write-options.ts';
import { shellWord } from '../grammar/say.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { todayOf } from '../session/service-clock.ts';
import { type Session, serviceName, withApi } from '../session/session.ts';
import { recorderFor } from '../session/write-recorder.ts';
import { afterAnother, hasAnother } from './another.ts';
import { findSteps } from './find-steps.ts';
import { back, type Draft, runSteps, type Step, subjectOf } from './steps.ts';
import { ticketSteps } from './ticket-steps.ts';
import { askChoice, cancelKey, sayWrapped, type WizardContext } from './wizard-context.ts';

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
  const lastReason = (type: MoneyTicket) => readChoice(cmd, `reason-${type}`);
  await withApi(cmd, wireFor(output), async (client, session) => {
    const wizard: WizardContext = { client, prompts, messages, today, width, lastReason };
    const once = (given: string | undefined) =>
      refundOne({ cmd, output, flags, wizard, session }, given);
    await once(receipt);
    while (await hasAnother(wizard)) await afterAnother(() => once(undefined));
  });
}

interface Run {
  readonly cmd: CommandContext;
  readonly output: OutputOptions;
  readonly flags: RefundFlags;
  readonly wizard: WizardContext;
  readonly session: Session;
}

async function refundOne(run: Run, receipt: string | undefined): Promise<void> {
  const { cmd, output, flags, wizard, session } = run;
  const { messages } = cmd;
  const steps = [...findSteps(wizard, receipt), ...ticketSteps(wizard)];
  if (!flags.dryRun) steps.push(review(wizard, serviceName(session)));
  const draft = await runSteps(steps);
  const { operation, args } = writeOf(draft);
  if (draft.type && draft.reason) await rememberChoice(cmd, `reason-${draft.type}`, draft.reason);
  if (flags.dryRun) {
    await dryRun({ cmd, operation, each: [args], output, flags }, wizard.client);
  } else await send(run, draft);
  messages.say('To do the same without prompts, run:');
  messages.show(commandLine(cmd, draft, flags));
}

function writeOf(draft: Draft): { readonly operation: Operation; readonly args: Arguments } {
  const { commentOn, type = 'rfnd', reason, refundType, refundAmount, comment } = draft;
  if (commentOn !== undefined) {
    return { operation: tickets.comment, args: { id: commentOn, comment } };
  }
  if (reason === undefined) throw new Error('No reason is chosen yet.');
  const args = ticketArguments(subjectOf(draft), {
    ...{ type, reason },
    ...(refundType && { refundType }),
    ...(refundAmount && { refundAmount }),
    ...(comment && { comment }),
    ...(draft.retainSubscription && { retainSubscription: true }),
  });
  return { operation: tickets.create, args };
}

function review(context: WizardContext, service: string): Step {
  return async (draft) => {
    const { operation, args } = writeOf(draft);
    const plan = await planWrite(context.client, operation, args);
    context.messages.say('');
    sayWrapped(context, statementOf(plan));
    context.messages.say(`This request will be sent to ${service}:`);
    for (const line of requestText(plan.request).split('\n')) sayWrapped(context, line, '  ');
    const send = { value: 'send', name: 'Send it', short: 'yes' } as const;
    // Enter alone never gives money away.
    const answer = await askChoice(context, 'Send this request?', [send], { selected: cancelKey });
    return answer === back ? back : draft;
  };
}

function requireTerminal({ mayAsk }: CommandContext): void {
  if (mayAsk) return;
  throw usage('The refund wizard requires a terminal.', {
    hint: 'In scripts, use cb tickets create, which has an option for each question.',
    next: 'cb tickets create --help',
  });
}

function requireReceipt(receipt: string, today: Day): void {
  const problem = problemWith(tickets.create.params.receipt, receipt, today);
  if (problem) throw usage(`<receipt> ${problem}`);
}

async function send({ cmd, wizard, output, flags, session }: Run, draft: Draft): Promise<void> {
  const { operation, args } = writeOf(draft);
  const options = { ...writeOptions(cmd, flags), record: recorderFor(cmd, session) };
  const reply = await writeOne({ cmd, operation, output }, wizard.client, args, options);
  const id = (reply as { ticketid?: string } | undefined)?.ticketid;
  if (!subjectOf(draft).item.shippable || !refunds(draft) || id === undefined) return;
  cmd.messages.say(`When the item is returned, complete the refund: cb tickets returned ${id}`);
}

function refunds(draft: Draft): boolean {
  return draft.type !== undefined && refundsMoney(draft.type, subjectOf(draft));
}

/** Returns the command that sends the same request to the same service without prompts. */
function commandLine(
  { flags: { sandbox, profile } }: CommandContext,
  draft: Draft,
  { allowDuplicate }: RefundFlags,
): string {
  const { operation, args } = writeOf(draft);
  const words = Object.entries(args).map(([name, value]) => {
    const typed = shellWord(String(value));
    if (isArgument(operation, name)) return typed;
    if (typeof value === 'boolean') return value ? `--${kebab(name)}` : `--no-${kebab(name)}`;
    return `--${kebab(name)} ${typed}`;
  });
  const more = [
    ...(sandbox ? ['--sandbox'] : []),
    ...(profile !== undefined ? [`--profile ${shellWord(profile)}`] : []),
    ...(allowDuplicate ? ['--allow-duplicate'] : []),
    ...(draft.type === 'cncl' && refunds(draft) ? ['--allow-refund'] : []),
    '--yes',
  ];
  return ['cb', operation.command, ...words, ...more].join(' ');
}
