/** Changes that no test can notice, with the reason. */
import type { Change } from './changes.ts';

interface Equivalent extends Pick<Change, 'file'> {
  /** The start of the code that is changed, with single spaces. */
  readonly before: string;
  readonly reason: string;
}

const known: readonly Equivalent[] = [
  {
    file: 'src/client/paging/count.ts',
    before: 'if (asked.some(',
    reason: 'The client refuses the unknown parameter of the count, which is then not compared.',
  },
  {
    file: 'src/client/paging/merge.ts',
    before: 'if (!first?.page) return;',
    reason: 'Only for the type: there is a list, and each list has a page.',
  },
  {
    file: 'src/client/paging/windows.ts',
    before: 'to < from',
    reason: 'A single day is not split, either.',
  },
  {
    file: 'src/features/agents/approvals/approve.ts',
    before: 'if (before === null) return record;',
    reason: 'It only saves the turn: without a snapshot, nothing is found.',
  },
  {
    file: 'src/features/import/import-file.ts',
    before: 'if (codeOf(cause) === undefined) return error;',
    reason: 'Only for an error in cb itself: what the system refuses has a code.',
  },
  {
    file: 'src/features/lists/account-run.ts',
    before: 'known !== undefined && known < last',
    reason: 'The hash of a row that moves between days is kept for a day more or less.',
  },
  {
    file: 'src/features/lists/append-file.ts',
    before: 'await rm(spoolPath, { force: true })',
    reason: 'The file is gone a moment later, and nothing reads it in between.',
  },
  {
    file: 'src/features/lists/incremental-export.ts',
    before: 'await release()',
    reason: 'The lock is released at once.',
  },
  {
    file: 'src/features/lists/part-file.ts',
    before: 'await unlock()',
    reason: 'The lock is released at once.',
  },
  {
    file: 'src/features/lists/part-file.ts',
    before: 'await removeStateFile(checkpoint)',
    reason: 'The file is gone a moment later, and nothing reads it in between.',
  },
  {
    file: 'src/features/lists/part-file.ts',
    before: 'await file.close()',
    reason: 'The command fails with the same words while the file is closed.',
  },
  {
    file: 'src/features/lists/part-file.ts',
    before: 'await file?.close().catch(() => undefined)',
    reason: 'The file is closed a moment later, and its rows are on the disk.',
  },
  {
    file: 'src/features/lists/part-file.ts',
    before: 'await (await file()).datasync().catch(failed)',
    reason: 'It is for a failure of power.',
  },
  {
    file: 'src/features/sync/upkeep/parquet.ts',
    before: "await sql.query('PRAGMA mmap_size = 0');",
    reason: 'It costs memory, which npm run bench:parquet measures.',
  },
  {
    file: 'src/client/paging/merge.ts',
    before: 'rows.length > 0',
    reason: 'A page without rows says nothing.',
  },
  {
    file: 'src/features/lists/account-run.ts',
    before: 'first > latest',
    reason: 'An equal day takes the place of itself.',
  },
  {
    file: 'src/features/sync/views/views.ts',
    before: "await sql.query('ROLLBACK TO",
    reason: 'The driver sends what follows in the same order.',
  },
  {
    file: 'src/features/tickets/queue/confirm-action.ts',
    before: 'if (!operation) return;',
    reason: 'Only for the type: the operation of an entry is in the catalogue.',
  },
  {
    file: 'src/features/tickets/queue/proposals.ts',
    before: 'if (!sale) return undefined;',
    reason:
      'Only for the type: without its order, a ticket offers neither refund nor cancellation.',
  },
  {
    file: 'src/ledger/ledger.ts',
    before: 'await handle?.close()',
    reason: 'The ledger fails with the same words while the file is closed.',
  },
  {
    file: 'src/ledger/ledger.ts',
    before: 'await syncFolder(dirname(path))',
    reason: 'It is for a failure of power.',
  },
];

/** Undefined for a change that a test should notice. */
export function whyUnnoticed({ file, before }: Pick<Change, 'file' | 'before'>) {
  const text = before.replaceAll(/\s+/g, ' ');
  return known.find((one) => one.file === file && text.startsWith(one.before))?.reason;
}
