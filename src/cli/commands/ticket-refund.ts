/** `cb tickets refund`: the wizard. */
import { type Command, Option } from 'commander';
import { orders } from '../../operations/orders.ts';
import { tickets } from '../../operations/tickets.ts';
import type { Value } from '../../output/rows.ts';
import { newCommand } from '../command.ts';
import type { Day } from '../dates.ts';
import { shapeOf } from '../endpoint-read.ts';
import { usage } from '../failure.ts';
import { allowDuplicateOption, helpGroups } from '../flags.ts';
import { type Lesson, teach } from '../help/lesson.ts';
import { type Draft, subjectOf } from '../refund/draft.ts';
import type { DraftedWrite } from '../refund/review-step.ts';
import type { WizardContext } from '../refund/wizard-context.ts';
import { serviceName, withApi } from '../session.ts';
import { type Call, type CommonFlags, type Shell, shellFor } from '../shell.ts';
import { showText, showValue } from '../show.ts';
import {
  addShowFlags,
  isAsReceived,
  readShowFlags,
  type ShowFlags,
  type Showing,
  wireFor,
} from '../show-flags.ts';
import { problemWith } from '../values.ts';
import { verifiedNote, verifyWaitOption, writeOptions } from '../write-options.ts';

interface RefundFlags {
  readonly dryRun?: boolean;
  readonly allowDuplicate?: boolean;
  readonly verifyWait?: string;
}

const lesson: Lesson = {
  notes: [
    'The wizard asks step by step, shows the amounts, and sends nothing before the last screen. It ends with the cb tickets create command that does the same without questions.',
  ],
  asks: true,
  examples: [
    'cb tickets refund',
    'cb tickets refund DIGITAL1',
    'cb tickets refund MONTHLY1 --dry-run',
  ],
  roles: [...orders.list.roles, ...tickets.create.roles],
  topics: ['safety', 'credentials'],
};

const shows = { asReceived: true };

export function addTicketRefund(group: Command, call: Call): void {
  const command = newCommand(call.context, 'refund')
    .description('Refund a payment or cancel a subscription, step by step')
    .argument('[receipt]', 'Receipt of the sale; without it, the wizard searches for it');
  teach(command, () => lesson);
  addShowFlags(command, shows);
  command.addOption(allowDuplicateOption());
  command.addOption(
    new Option(
      '--dry-run',
      'Ask and check everything, print the request, and send nothing',
    ).helpGroup(helpGroups.other),
  );
  command.addOption(verifyWaitOption());
  command.action(async (receipt: string | undefined) => {
    const flags = command.optsWithGlobals<CommonFlags & ShowFlags & RefundFlags>();
    const shell = shellFor(call, flags);
    await refund(shell, readShowFlags(shell, flags, shows), receipt, flags);
  });
  group.addCommand(command);
}

async function refund(
  shell: Shell,
  showing: Showing,
  receipt: string | undefined,
  flags: RefundFlags,
): Promise<void> {
  requireTerminal(shell);
  const today = await shell.today();
  if (receipt !== undefined) requireReceipt(receipt, today);
  const prompts = await shell.context.prompts();
  const { messages, context } = shell;
  const width = Math.max(20, context.stderr.columns ?? 80);
  const { writeOf } = await import('../refund/review-step.ts');
  await withApi(shell, wireFor(showing), async (api, session) => {
    const wizard: WizardContext = { api, prompts, messages, today, width };
    const draft = await askAll(wizard, receipt, serviceName(session), flags);
    const write = writeOf(draft);
    if (flags.dryRun) {
      const { dryRun } = await import('../dry-run.ts');
      const { operation, args } = write;
      await dryRun({ shell, operation, each: [args], showing, flags }, api);
    } else await send(shell, wizard, showing, { draft, write }, flags);
    messages.say('The same without questions:');
    messages.say(await sameLine(shell, draft, write, flags));
  });
}

function requireTerminal({ mayAsk }: Shell): void {
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

async function askAll(
  wizard: WizardContext,
  receipt: string | undefined,
  service: string,
  { dryRun = false }: RefundFlags,
): Promise<Draft> {
  const [{ runSteps }, { findSteps }, { ticketSteps }, { review }] = await Promise.all([
    import('../refund/steps.ts'),
    import('../refund/find-steps.ts'),
    import('../refund/ticket-steps.ts'),
    import('../refund/review-step.ts'),
  ]);
  const steps = [
    ...findSteps(wizard, receipt),
    ...ticketSteps(wizard),
    review(wizard, service, dryRun),
  ];
  return runSteps<Draft>(steps, {});
}

async function send(
  shell: Shell,
  { api }: WizardContext,
  showing: Showing,
  { draft, write }: { readonly draft: Draft; readonly write: DraftedWrite },
  flags: RefundFlags,
): Promise<void> {
  const { safeWrite } = await import('../../workflows/safe-write/safe-write.ts');
  const { operation, args } = write;
  const { reply, body, how } = await safeWrite(
    api,
    operation,
    args,
    await writeOptions(shell, flags),
  );
  if (how === 'verified') shell.messages.say(verifiedNote);
  if (isAsReceived(showing) && body !== undefined) await showText(shell, showing, body);
  else await showValue(shell, showing, reply as Value, shapeOf(operation));
  const id = (reply as { ticketid?: { value: string } } | undefined)?.ticketid?.value;
  if (!subjectOf(draft).item.shippable || !refunds(draft) || id === undefined) return;
  shell.messages.say(`When the item is returned, complete the refund: cb tickets returned ${id}`);
}

function refunds(draft: Draft): boolean {
  return draft.type === 'rfnd' || refundsByCanceling(draft);
}

/** A cancellation of a one-time sale. */
function refundsByCanceling(draft: Draft): boolean {
  return draft.type === 'cncl' && !subjectOf(draft).item.recurring;
}

/** The command line that sends the same request without questions, to the same service. */
async function sameLine(
  { flags: { sandbox, profile } }: Shell,
  draft: Draft,
  { operation, args }: DraftedWrite,
  { allowDuplicate }: RefundFlags,
): Promise<string> {
  const { commandLine, quoted } = await import('../refund/command-line.ts');
  const more = [
    ...(sandbox ? ['--sandbox'] : []),
    ...(profile !== undefined ? [`--profile ${quoted(profile)}`] : []),
    ...(allowDuplicate ? ['--allow-duplicate'] : []),
    ...(refundsByCanceling(draft) ? ['--allow-refund'] : []),
    '--yes',
  ];
  return commandLine(operation, args, more);
}
