/** What a person should know about each row before anything is sent. */
import type { Client as Api } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import type { Operation } from '../../operations/operation.ts';
import { reasonOf } from '../errors.ts';
import { verifierOf } from '../safe-write/verifiers.ts';
import { type Warning, warningsFor } from '../safe-write/warnings.ts';
import type { ImportRow } from './rows.ts';

export interface CheckOptions {
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Also look whether an equal ticket or notice exists already. */
  readonly findMatches?: boolean;
  onRow?(): void;
}

export interface CheckedRow {
  readonly warnings: readonly Warning[];
  /** One sentence about an equal ticket or notice that exists already. */
  readonly existingMatch?: string | undefined;
}

/** Reads what each row would do, by line. Sends no write. Throws where reading fails for all rows. */
export async function checkRows(
  api: Api,
  operation: Operation,
  rows: readonly ImportRow[],
  { concurrency, signal, findMatches = false, onRow }: CheckOptions,
): Promise<Map<number, CheckedRow>> {
  const checked = new Map<number, CheckedRow>();
  const waiting = rows.values();
  const work = async () => {
    for (const row of waiting) {
      signal.throwIfAborted();
      const warnings = await warningsOf(api, operation, row);
      const look = findMatches ? await verifierOf(operation)?.look(api, row.args) : undefined;
      checked.set(row.line, { warnings, existingMatch: look?.existingMatch });
      onRow?.();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return checked;
}

/** A read that the service refuses leaves open what the row does, and money may be at stake. */
async function warningsOf(
  api: Api,
  operation: Operation,
  { args, key }: ImportRow,
): Promise<readonly Warning[]> {
  try {
    return await warningsFor(api, operation, args);
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'refused') throw error;
    const message = `Not checked: what the write does to ${key} (${reasonOf(error)})`;
    return [{ kind: 'not-checked', message, receipt: key, requires: 'allow-refund' }];
  }
}
