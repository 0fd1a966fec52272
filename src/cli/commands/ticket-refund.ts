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
import type { Desk } from '../refund/desk.ts';
import { type Draft, subjectOf } from '../refund/draft.ts';
import { type Session, withApi } from '../session.ts';
import { type Call, type CommonFlags, type Shell, shellFor } from '../shell.ts';
import { showText, showValue } from '../show.ts';
import { addShowFlags, readShowFlags, type ShowFlags, type Showing } from '../show-flags.ts';
import { parseValue } from '../values.ts';
import { verifiedNote, verifyWaitOption, writeOptions } from '../write-options.ts';

interface RefundFlags {
  readonly dryRun?: boolean;
  readonly allowDuplicate?: boolean;
  readonly verifyWait?: string;
}

const lesson: Lesson = {
  notes: [
    'It asks step by step, shows the amounts, and sends nothing before the last screen. For scripts there is cb tickets create; the wizard ends with the line that does the same.',
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

export function addTicketRefund(group: Command, call: Call): void {
  const command = newCommand(call.context, 'refund')
    .description('Refund or cancel, step by step (the wizard)')
    .argument('[receipt]', 'Receipt of the sale; without it, it is searched for');
  teach(command, () => lesson);
  addShowFlags(command, { rows: false, pages: false, totals: false });
  command.addOption(allowDuplicateOption());
  command.addOption(
    new Option('--dry-run', 'Print what would be sent, and send nothing').helpGroup(
      helpGroups.other,
    ),
  );
  command.addOption(verifyWaitOption());
  command.action(async (receipt: string | undefined) => {
    const flags = command.optsWithGlobals<CommonFlags & ShowFlags & RefundFlags>();
    const shell = shellFor(call, flags);
    await refund(shell, readShowFlags(shell, flags), receipt, flags);
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
  await withApi(shell, {}, async (api, session) => {
    const desk: Desk = { api, prompts, messages, today, width };
    const draft = await askAll(desk, receipt, whereOf(session), flags);
    if (flags.dryRun) await showRequest(shell, showing, draft);
    else await send(shell, desk, showing, draft, flags);
    messages.say('The same without questions:');
    messages.say(await sameLine(shell, draft, flags));
  });
}

function requireTerminal({ mayAsk }: Shell): void {
  if (mayAsk) return;
  throw usage('the wizard needs a terminal to ask on', {
    hint: 'elsewhere use `cb tickets create`, which has a flag for everything',
    next: 'cb tickets create --help',
  });
}

function requireReceipt(receipt: string, today: Day): void {
  const parsed = parseValue(tickets.create.params.receipt, receipt, today);
  if ('problem' in parsed) throw usage(`<receipt> ${parsed.problem}`);
}

async function askAll(
  desk: Desk,
  receipt: string | undefined,
  where: string,
  { dryRun = false }: RefundFlags,
): Promise<Draft> {
  const [{ walk }, { findSteps }, { ticketSteps }, { review }] = await Promise.all([
    import('../refund/walk.ts'),
    import('../refund/find-steps.ts'),
    import('../refund/ticket-steps.ts'),
    import('../refund/review-step.ts'),
  ]);
  const steps = [...findSteps(desk, receipt), ...ticketSteps(desk), review(desk, where, dryRun)];
  return walk<Draft>(steps, {});
}

function whereOf({ profile, baseUrl }: Session): string {
  return profile === undefined ? baseUrl : `profile ${profile}`;
}

async function send(
  shell: Shell,
  { api }: Desk,
  showing: Showing,
  draft: Draft,
  flags: RefundFlags,
): Promise<void> {
  const [{ safeWrite }, { ticketArguments }] = await Promise.all([
    import('../../workflows/safe-write/safe-write.ts'),
    import('../refund/review-step.ts'),
  ]);
  const args = ticketArguments(draft);
  const options = await writeOptions(shell, flags);
  const { reply, body, how } = await safeWrite(api, tickets.create, args, options);
  if (how === 'verified') shell.messages.say(verifiedNote);
  if (showing.format === 'raw' && body !== undefined) await showText(shell, showing, body);
  else await showValue(shell, showing, reply as Value, shapeOf(tickets.create));
  const id = reply.ticketid?.value;
  const { item } = subjectOf(draft);
  const refunds = draft.type === 'rfnd' || !item.recurring;
  if (!item.shippable || !refunds || id === undefined) return;
  shell.messages.say(`When the item is back, complete the refund: cb tickets returned ${id}`);
}

async function showRequest(shell: Shell, showing: Showing, draft: Draft): Promise<void> {
  const [{ requestFor }, { requestLines, ticketArguments }] = await Promise.all([
    import('../../api/request.ts'),
    import('../refund/review-step.ts'),
  ]);
  const request = requestFor(tickets.create, ticketArguments(draft));
  if (showing.format === 'json' || showing.format === 'ndjson') {
    const { method, path, query } = request;
    await showValue(shell, showing, { method, path, query: Object.fromEntries(query) });
  } else await showText(shell, showing, requestLines(request).join('\n'));
}

/** The flags that picked the service are part of it. */
async function sameLine(
  { flags: { sandbox, profile } }: Shell,
  draft: Draft,
  { allowDuplicate }: RefundFlags,
): Promise<string> {
  const [{ commandLine, quoted }, { ticketArguments }] = await Promise.all([
    import('../refund/command-line.ts'),
    import('../refund/review-step.ts'),
  ]);
  const more = [
    ...(sandbox ? ['--sandbox'] : []),
    ...(profile !== undefined ? [`--profile ${quoted(profile)}`] : []),
    ...(allowDuplicate ? ['--allow-duplicate'] : []),
    '--yes',
  ];
  return commandLine(tickets.create, ticketArguments(draft), more);
}
