/** Reads what to report about each row before anything is sent. */
import type { Client } from '../../client/client.ts';
import { badInput } from '../../client/workflow-error.ts';
import type { Operation } from '../../operations/operation.ts';
import { warningsFor } from '../../safe-write/confirmation.ts';
import { type Amounts, openReader } from '../../safe-write/reads.ts';
import { rulesOf, verifierOf } from '../../safe-write/rules.ts';
import type { Warning } from '../../safe-write/warnings.ts';
import type { ImportRow, ImportRows } from './rows.ts';

export interface CheckOptions {
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly findMatches?: boolean;
  readonly readAmounts?: boolean;
  onRow?(): void;
}

export interface CheckedRow {
  readonly warnings: readonly Warning[];
  /** A sentence about an equal ticket or notice that already exists, without its final period. */
  readonly existingMatch?: string | undefined;
  /** The amounts that the row would refund, if they could be read. */
  readonly refund?: Amounts | undefined;
}

/**
 * Throws a WorkflowError if the last line has no line end and ClickBank does not have the order of its row: the file may
 * be cut off, and a part of a receipt may be another receipt.
 */
export async function requireWholeFile(
  client: Client,
  { unended }: ImportRows,
  toSend: readonly ImportRow[],
): Promise<void> {
  if (!unended || !toSend.includes(unended)) return;
  const { line, key } = unended;
  if ((await openReader(client).order(key)).state === 'found') return;
  throw badInput(
    `Line ${line}, the last one, has no line end, and ClickBank shows no order ${key}: the file may be cut off. Nothing was sent.`,
    { hint: 'Complete the file. If it is complete, add a line end.' },
  );
}

/** Reads the effect of each row, by line. Sends no write. Throws if reading fails for all rows. */
export async function checkRows(
  client: Client,
  operation: Operation,
  rows: readonly ImportRow[],
  { concurrency, signal, findMatches = false, readAmounts = false, onRow }: CheckOptions,
): Promise<Map<number, CheckedRow>> {
  const checked = new Map<number, CheckedRow>();
  const waiting = rows.values();
  const work = async () => {
    for (const row of waiting) {
      signal.throwIfAborted();
      const reader = openReader(client);
      const warnings = await warningsFor(client, operation, row.args, reader);
      const refund = readAmounts ? await rulesOf(operation)?.refund?.(reader, row.args) : undefined;
      const look = findMatches ? await verifierOf(operation)?.look(client, row.args) : undefined;
      checked.set(row.line, { warnings, refund, existingMatch: look?.existingMatch });
      onRow?.();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return checked;
}
