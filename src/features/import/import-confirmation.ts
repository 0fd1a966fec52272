/** Reads, warnings, and the confirmation before the rows of an import are sent. */

import type { Client } from '../../client/client.ts';
import { addDecimals, countOf } from '../../decimals/decimals.ts';
import type { Operation } from '../../operations/operation.ts';
import { irreversible } from '../../safe-write/sentence.ts';
import type { Warning } from '../../safe-write/warnings.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { showIfRead } from '../../shell/display/show.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure, failureFrom } from '../../shell/failure.ts';
import type { OutputOptions } from '../../shell/options/show-flags.ts';
import { confirm } from '../../shell/prompts/ask.ts';
import { withApi } from '../../shell/session/session.ts';
import { type CheckOptions, checkRows, requireWholeFile } from './check-rows.ts';
import type { ImportAccount } from './identity.ts';
import type { BatchFlags } from './import-flags.ts';
import { type Checks, progressOn, showPlan } from './import-report.ts';
import type { ImportRow, ImportRows } from './rows.ts';

interface Plan {
  readonly operation: Operation;
  readonly flags: BatchFlags;
  readonly concurrency: number;
  readonly all: ImportRows;
}

/** Prints what would be sent, with the warnings of each row. Ends with the exit code of the real command. */
export async function planImport(
  cmd: CommandContext,
  output: OutputOptions,
  { operation, flags, concurrency, all }: Plan,
  rows: readonly ImportRow[],
): Promise<void> {
  let stopped: Failure | undefined;
  const checks = await withApi(cmd, { concurrency }, async (client) => {
    await requireWholeFile(client, all, rows);
    return checkImport(cmd, client, operation, rows, { concurrency, findMatches: true });
  }).catch((error: unknown): Checks => {
    stopped = failureFrom(error);
    const isFinal = stopped.code === exitCodes.internal || stopped.code === exitCodes.usage;
    if (cmd.context.signal.aborted || isFinal) throw error;
    cmd.messages.say(`warning: The rows were not checked: ${stopped.message.replace(/\.$/, '')}.`);
    return new Map();
  });
  await showIfRead(showPlan(cmd, output, operation, rows, checks));
  if (stopped) throw stopped;
  if (flags.yes || !cmd.mayAsk) requireAllowRefund(rows, checks, flags);
}

export async function checkImport(
  cmd: CommandContext,
  client: Client,
  operation: Operation,
  rows: readonly ImportRow[],
  options: Pick<CheckOptions, 'concurrency' | 'findMatches' | 'readAmounts'>,
): Promise<Checks> {
  const progress = progressOn(cmd, rows.length, 'checked');
  const { signal } = cmd.context;
  const checks = await checkRows(client, operation, rows, {
    ...options,
    signal,
    onRow: progress.step,
  });
  progress.end();
  return checks;
}

interface PendingImport {
  readonly flags: BatchFlags;
  readonly account: ImportAccount;
  readonly toSend: readonly ImportRow[];
  readonly retried: readonly ImportRow[];
  readonly checks: Checks;
}

/** Returns if a person confirms, or with --yes and the options that the warnings require. */
export async function confirmImport(
  cmd: CommandContext,
  { flags, account, toSend, retried, checks }: PendingImport,
): Promise<void> {
  for (const { line, key } of toSend) {
    for (const { message } of checks.get(line)?.warnings ?? []) {
      cmd.messages.say(`warning: Line ${line} (${key}): ${message}.`);
    }
  }
  for (const row of retried) {
    cmd.messages.say(`Line ${row.line} has an unknown outcome: ${inWords(row)}`);
  }
  if (flags.yes) {
    requireAllowRefund(toSend, checks, flags);
    return;
  }
  if (toSend.length === 0) return;
  const first = toSend.slice(0, 3).map((row) => `  line ${row.line}: ${inWords(row)}`);
  cmd.messages.say([...first, ...(toSend.length > 3 ? ['  …'] : [])].join('\n'));
  const question = [
    ...warningSentences(toSend, checks),
    ...retrySentence(retried),
    `Create ${thingsOf(toSend)} with ${account.isProfile ? 'profile ' : ''}${account.name}?`,
    ...refundSentences(toSend, checks),
  ];
  await confirm(cmd, question.join(' '));
}

function inWords({ args }: ImportRow): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/** Counts the rows by what they create, as in "2 refund tickets and 1 cancellation ticket" or "3 ship notices". */
function thingsOf(rows: readonly ImportRow[]): string {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const name = ticketNames[typeOf(row)] ?? 'ship notice';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => countOf(count, name)).join(' and ');
}

function typeOf({ args }: ImportRow): string {
  return 'type' in args ? String(args.type) : '';
}

/** Names by the type of the ticket; a row without a type creates a ship notice. */
const ticketNames: Readonly<Record<string, string>> = {
  rfnd: 'refund ticket',
  cncl: 'cancellation ticket',
  tech: 'technical support ticket',
};

/** Writes sentences such as "2 refunds, total 66.00 USD. This can't be undone." */
function refundSentences(rows: readonly ImportRow[], checks: Checks): string[] {
  const refunds = rows.filter(
    (row) => typeOf(row) === 'rfnd' || checks.get(row.line)?.refund !== undefined,
  );
  if (refunds.length === 0) return [];
  const amounts = refunds.flatMap(({ line }) => checks.get(line)?.refund?.usdAmount ?? []);
  const count = countOf(refunds.length, 'refund');
  const total = amounts.length > 0 ? addDecimals(amounts) : undefined;
  const unknown = refunds.length - amounts.length;
  if (total === undefined) return [`${count}, total unknown.`, irreversible];
  const rest = unknown > 0 ? `, and ${unknown} of unknown amount` : '';
  return [`${count}, total ${total} USD${rest}.`, irreversible];
}

function retrySentence(retried: readonly ImportRow[]): string[] {
  if (retried.length === 0) return [];
  const lines = retried.map(({ line }) => line).join(', ');
  return [
    `${countOf(retried.length, 'row')} may be done already and will be sent again if not found: line ${lines}.`,
  ];
}

/** Throws if a row may refund money without a confirmation or --allow-refund. */
function requireAllowRefund(
  rows: readonly ImportRow[],
  checks: Checks,
  { allowRefund = false }: BatchFlags,
): void {
  const needsPermission = ({ requires }: Warning) => requires === 'allow-refund';
  const sentences = warningSentences(rows, checks, needsPermission);
  if (sentences.length === 0 || allowRefund) return;
  throw new Failure(exitCodes.declined, `${sentences.join(' ')} Nothing was sent.`, {
    hint: 'Remove these rows, or pass --allow-refund to send them anyway.',
  });
}

const effects: Partial<Record<Warning['kind'], string>> = {
  'refunds-sale': 'would refund a one-time sale',
  'not-refundable': "can't be refunded",
  'several-items': 'names no item of an order with several items',
  'not-checked': 'could not be checked',
};

/** Writes one sentence for each kind of warning, as in "2 of 40 rows would refund a one-time sale: line 2 …". */
function warningSentences(
  rows: readonly ImportRow[],
  checks: Checks,
  counts: (warning: Warning) => boolean = () => true,
): string[] {
  const byKind = new Map<Warning['kind'], string[]>();
  for (const { line, key } of rows) {
    for (const warning of (checks.get(line)?.warnings ?? []).filter(counts)) {
      const { kind, amount, currency } = warning;
      const money = [amount, currency].filter(Boolean).join(' ');
      const named = `line ${line} ${key}${money && ` (${money})`}`;
      byKind.set(kind, [...(byKind.get(kind) ?? []), named]);
    }
  }
  return [...byKind].map(([kind, named]) => {
    const effect = effects[kind] ?? (named.length === 1 ? 'has a warning' : 'have a warning');
    return `${named.length} of ${countOf(rows.length, 'row')} ${effect}: ${named.join(', ')}.`;
  });
}
