/** `cb tickets work`: looks for writes of unknown outcome, works through the queue, and shows what was done. */
import { appendFile, open, readFile, stat } from 'node:fs/promises';
import { realClock } from '../../../client/clock.ts';
import { ApiError } from '../../../client/errors.ts';
import { addDays } from '../../../dates/day.ts';
import { countOf } from '../../../decimals/decimals.ts';
import { alike, decimal, naming, resource, text, time } from '../../../operations/resource.ts';
import { tickets } from '../../../operations/tickets.ts';
import { renderOne } from '../../../output/render.ts';
import { onePage } from '../../../output/stream.ts';
import { money } from '../../../safe-write/sentence.ts';
import type { CommandContext } from '../../../shell/context.ts';
import { showPages } from '../../../shell/display/show.ts';
import { exitCodes, Failure, usage } from '../../../shell/failure.ts';
import { pathOf } from '../../../shell/folders.ts';
import { ledgerOf } from '../../../shell/lock.ts';
import type { Typed, WriteFlags } from '../../../shell/options/flags.ts';
import { isStructured, type OutputOptions } from '../../../shell/options/show-flags.ts';
import { verificationFor } from '../../../shell/options/write-options.ts';
import { nowFor, serviceDayOf, serviceName, withApi } from '../../../shell/session/session.ts';
import { senderOf } from '../../../shell/session/write-recorder.ts';
import { timeZoneOf } from '../../../shell/terminal/zone.ts';
import { shownCode } from '../../../storage/files.ts';
import { argumentsFrom } from '../../mirror/arguments.ts';
import { isInterruption } from '../refund/dialog.ts';
import { repliesOf } from '../replies.ts';
import { type ActionRecord, type ActionSender, openActions, resolveAction } from './send-action.ts';
import { openPrefetch, readDetails, readOthers, readQueue } from './ticket-details.ts';
import { workThrough } from './ticket-loop.ts';
import { orderKey, type SessionState, type WorkContext } from './work-context.ts';

const columns = [
  ...(['time', 'ticketId', 'receipt', 'email', 'action', 'amount', 'currency'] as const),
  ...(['outcome', 'detail'] as const),
];
const header = columns.join(',');

/** Appends actions to a CSV file. Throws a usage failure if it is no such file or can't be written. */
async function actionLogAt(
  { context, messages }: CommandContext,
  typed: string | undefined,
): Promise<WorkContext['logAction']> {
  if (typed === undefined) return async () => undefined;
  const path = pathOf(context, typed);
  const hint = 'Nothing was sent. Name another file with --log.';
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
  // A pipe would be waited for.
  if (!isFile) throw usage(`The log ${path} is not a file.`, { hint });
  const [first = ''] = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  if (first !== '' && first !== header) {
    throw usage(`${path} is not a log of cb tickets work.`, { hint });
  }
  try {
    const file = await open(path, 'a', 0o600);
    if (first === '') await file.appendFile(`${header}\n`);
    await file.close();
  } catch (cause) {
    throw usage(`The log ${path} can't be written (${shownCode(cause)}).`, { hint, cause });
  }
  return async ({ record, isUnsent }) => {
    if (isUnsent) return;
    const row = Object.fromEntries(columns.map((name) => [name, record[name]]));
    const line = await renderOne('csv', [row], { header: false });
    await appendFile(path, line).catch((cause: unknown) =>
      messages.say(`warning: The log ${path} can't be written (${shownCode(cause)}).`),
    );
  };
}

const action = resource(
  'action',
  ['ticketId', 'action', 'amount', 'outcome', 'receipt', 'detail'],
  {
    ...{ time, ticketId: naming('ticket', text), receipt: naming('receipt', text) },
    ...alike(text, 'email', 'action'),
    ...{ amount: decimal, ...alike(text, 'currency', 'outcome', 'detail') },
  },
  { noun: 'action', amount: 'amount', currency: 'currency' },
);

async function showSummary(
  cmd: CommandContext,
  output: OutputOptions,
  records: readonly ActionRecord[],
  left: number,
): Promise<void> {
  const isTable = output.format === 'table';
  const rows = records.map((one) => {
    const { amount, currency } = one;
    // A table has no column for the currency.
    const shown = isTable ? money(amount, currency) : amount;
    return { ...one, amount: shown || null, currency: currency || null };
  });
  if (rows.length > 0 || isStructured(output)) {
    await showPages(cmd, output, { resource: action }, onePage(rows));
  }
  const counts = (['done', 'dry run', 'not done', 'unknown'] as const).flatMap((outcome) => {
    const count = records.filter((one) => one.outcome === outcome).length;
    const word = outcome === 'dry run' ? 'only tried' : outcome;
    return count > 0 || outcome === 'done' ? [`${count} ${word}`] : [];
  });
  const tickets = `${countOf(left, 'ticket')} without an action`;
  cmd.messages.say(
    rows.length === 0 ? `Nothing was sent; ${tickets}.` : `${counts.join(', ')}; ${tickets}.`,
  );
}

export async function workOnTickets(
  cmd: CommandContext,
  output: OutputOptions,
  typed: Typed & WriteFlags & { readonly log?: string },
): Promise<void> {
  if (!cmd.mayAsk) {
    throw usage('Working through tickets requires a terminal.', {
      hint: 'In scripts, use cb tickets list --status open, cb tickets create, cb tickets comment and cb tickets close.',
      next: 'cb tickets list --status open',
    });
  }
  const { log: file, dryRun, verifyWait } = typed;
  const verification = verificationFor(cmd, verifyWait);
  const { args, notes } = await argumentsFrom(cmd, tickets.list, typed);
  for (const note of notes) cmd.messages.say(`note: ${note}`);
  if (dryRun && file !== undefined) cmd.messages.say('note: --dry-run writes nothing to the log.');
  const replies = repliesOf(cmd);
  const logAction = await actionLogAt(cmd, dryRun ? undefined : file);
  const { context } = cmd;
  const clock = context.clock ?? realClock;
  await withApi(cmd, {}, async (client, session) => {
    // The service and this machine count the same seconds, but not from the same time.
    const ahead = (await nowFor(cmd)).getTime() - context.now().getTime();
    const sender: ActionSender = {
      ...{ client, verification, known: new Set(), ledger: ledgerOf(context) },
      sender: senderOf(cmd, session, 'queue'),
      now: () => new Date(context.now().getTime() + ahead),
    };
    const done: SessionState = {
      ...{ records: [], refunded: new Set(), sent: new Set(), notices: [] },
      ...{ unknown: new Map(), undo: new Map() },
    };
    if (!dryRun) {
      // If it can't be written, nothing is sent.
      await sender.ledger.change(async () => undefined);
      await resolveOpen(cmd, sender, done);
    }
    const queue = await readQueue(client, args);
    if (queue.length === 0) return cmd.messages.say('No ticket waits for you.');
    const today = await serviceDayOf(cmd);
    const receipts = new Map(queue.map(({ id, receipt }) => [id, receipt]));
    const days = { first: addDays(today, -365), last: today };
    const details = openPrefetch(async (id) => {
      const read = await readDetails(client, { id, receipt: receipts.get(id) ?? '' }, clock.now);
      return { ...read, others: readOthers(client, read, days) };
    });
    const work: WorkContext = {
      ...{ cmd, client, sender, queue, done, replies, logAction, clock, today, details },
      prompts: await context.prompts(),
      zone: timeZoneOf(cmd).name,
      service: serviceName(session),
      isDryRun: dryRun ?? false,
    };
    await toTheEnd(work, output);
  });
}

/** Looks for writes that an earlier session sent before it was stopped, and reports their outcomes. */
async function resolveOpen(
  { messages }: CommandContext,
  sender: ActionSender,
  done: SessionState,
): Promise<void> {
  for (const open of await openActions(sender)) {
    const state = await resolveAction(sender, open).catch((error: unknown) => {
      if (error instanceof ApiError && error.kind === 'refused') return 'unreadable' as const;
      throw error;
    });
    const { action, about = '', ticket = '' } = open;
    const receipt = about === ticket ? '' : about;
    const what = `${action} of ${receipt || 'no receipt'} (ticket ${ticket})`;
    const sentences = {
      done: `An earlier session was stopped after it sent a write, which is done: ${what}.`,
      unknown: `The outcome of a write of an earlier session is still unknown: ${what}.`,
      unreadable: `The outcome of a write of an earlier session is unknown, and ClickBank does not show it: ${what}.`,
    };
    messages.say(`note: ${sentences[state]}`);
    done.notices.push(sentences[state]);
    const isLookedAt = state === 'unknown';
    if (state !== 'done') done.unknown.set(orderKey(receipt, ticket), { open, isLookedAt });
    else if (action === 'refund' || action === 'cancel') done.refunded.add(receipt);
  }
}

/** The summary is shown however the session ends. */
async function toTheEnd(context: WorkContext, output: OutputOptions): Promise<void> {
  const { cmd, done, queue } = context;
  let ended: unknown;
  try {
    await workThrough(context);
  } catch (error) {
    ended = error;
  }
  cmd.messages.status('');
  const touched = new Set(done.records.map(({ ticketId }) => ticketId));
  const left = queue.filter(({ id }) => !touched.has(id)).length;
  await showSummary(cmd, output, done.records, left);
  if (ended !== undefined) {
    // The table has said what was sent.
    throw isInterruption(ended)
      ? new Failure(exitCodes.interrupted, 'Interrupted.', { cause: ended })
      : ended;
  }
  if (done.records.some(({ outcome }) => outcome === 'unknown')) {
    cmd.messages.say('Check the unknown ones before you repeat them.');
    cmd.endWith(exitCodes.incomplete);
  }
}
