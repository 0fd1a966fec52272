/** Reads what the rows of an import would do, warns, and asks, before anything is sent. */
import type { Client } from '../../client/client.ts';
import { badInput } from '../../client/workflow-error.ts';
import { addDecimals, countOf } from '../../decimals/decimals.ts';
import type { Operation } from '../../operations/operation.ts';
import { warningsFor } from '../../safe-write/confirmation.ts';
import { type Amounts, openReader } from '../../safe-write/reads.ts';
import { rulesOf, verifierOf } from '../../safe-write/rules.ts';
import { irreversible } from '../../safe-write/sentence.ts';
import type { Warning } from '../../safe-write/warnings.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure } from '../../shell/failure.ts';
import type { WriteFlags } from '../../shell/options/flags.ts';
import { confirm } from '../../shell/terminal/ask.ts';
import type { ImportAccount } from './journal.ts';
import type { ImportRow, ImportRows } from './rows.ts';

export interface CheckedRow {
  readonly warnings: readonly Warning[];
  /** A sentence about an equal ticket or notice that already exists, without its final period. */
  readonly existingMatch?: string | undefined;
  /** The amounts that the row would refund, if they could be read. */
  readonly refund?: Amounts | undefined;
}

/** What was read about the rows, by line; empty if nothing could be read. */
export type Checks = ReadonlyMap<number, CheckedRow>;

/** A counter on stderr if it is a terminal, as in "3 of 40 rows sent". */
export function progressOn({ context: { stderr } }: CommandContext, total: number, verb: string) {
  let count = 0;
  return {
    step() {
      count += 1;
      if (stderr.isTTY) stderr.write(`\r${count} of ${total} rows ${verb}`);
    },
    end: () => stderr.isTTY && count > 0 && stderr.write('\n'),
  };
}

interface CheckOptions {
  readonly concurrency: number;
  readonly findMatches?: boolean;
  readonly readAmounts?: boolean;
}

/**
 * Reads the effect of each row. Sends no write. Throws if reading fails for all rows, and a WorkflowError if the last
 * line has no line end and ClickBank does not have the order of its row: the file may be cut off, and a part of a
 * receipt may be another receipt.
 */
export async function checkRows(
  cmd: CommandContext,
  client: Client,
  operation: Operation,
  { unended }: ImportRows,
  toSend: readonly ImportRow[],
  { concurrency, findMatches, readAmounts }: CheckOptions,
): Promise<Checks> {
  if (unended && toSend.includes(unended)) {
    const { line, key } = unended;
    if ((await openReader(client).order(key)).state !== 'found') {
      throw badInput(
        `Line ${line}, the last one, has no line end, and ClickBank shows no order ${key}: the file may be cut off. Nothing was sent.`,
        { hint: 'Complete the file. If it is complete, add a line end.' },
      );
    }
  }
  const progress = progressOn(cmd, toSend.length, 'checked');
  const checked = new Map<number, CheckedRow>();
  const waiting = toSend.values();
  const work = async () => {
    for (const { line, args } of waiting) {
      cmd.context.signal.throwIfAborted();
      const reader = openReader(client);
      const warnings = await warningsFor(client, operation, args, reader);
      const refund = readAmounts ? await rulesOf(operation)?.refund?.(reader, args) : undefined;
      const look = findMatches ? await verifierOf(operation)?.look(client, args) : undefined;
      checked.set(line, { warnings, refund, existingMatch: look?.existingMatch });
      progress.step();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  progress.end();
  return checked;
}

interface PendingImport {
  readonly flags: WriteFlags;
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
  const again = `${countOf(retried.length, 'row')} may be done already and will be sent again if not found: line ${retried.map(({ line }) => line).join(', ')}.`;
  const question = [
    ...warningSentences(toSend, checks),
    ...(retried.length > 0 ? [again] : []),
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

/** Names by the type of the ticket; a row without a type creates a ship notice. */
const ticketNames: Readonly<Record<string, string>> = {
  rfnd: 'refund ticket',
  cncl: 'cancellation ticket',
  tech: 'technical support ticket',
};

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

/** Throws if a row may refund money without a confirmation or --allow-refund. */
export function requireAllowRefund(
  rows: readonly ImportRow[],
  checks: Checks,
  { allowRefund }: WriteFlags,
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
