/** Changes that no test can notice, with the reason. */
import type { Change } from './changes.ts';

/** By file: the start of the code that is changed, with single spaces, and the reason. */
const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/client/paging/count.ts': {
    'if (asked.some(':
      'The client refuses the unknown parameter of the count, which is then not compared.',
  },
  'src/client/paging/merge.ts': {
    'if (!first?.page) return;': 'Only for the type: there is a list, and each list has a page.',
    'rows.length > 0': 'A page without rows says nothing.',
  },
  'src/client/paging/windows.ts': {
    'to < from': 'A single day is not split, either.',
  },
  'src/features/agents/approvals/approve.ts': {
    'if (!isOpen(entry)) return record;':
      'Only for an approval that ends between two reads of the ledger.',
  },
  'src/features/import/import-file.ts': {
    'if (codeOf(cause) === undefined) return error;':
      'Only for an error in cb itself: what the system refuses has a code.',
  },
  'src/features/lists/account-run.ts': {
    'known !== undefined && known < last':
      'The hash of a row that moves between days is kept for a day more or less.',
    'first > latest': 'An equal day takes the place of itself.',
  },
  'src/features/lists/append-file.ts': {
    'await rm(spoolPath, { force: true })':
      'The file is gone a moment later, and nothing reads it in between.',
  },
  'src/features/lists/incremental-export.ts': {
    'await release()': 'The lock is released at once.',
  },
  'src/features/lists/part-file.ts': {
    'await unlock()': 'The lock is released at once.',
    'await removeStateFile(checkpoint)':
      'The file is gone a moment later, and nothing reads it in between.',
    'await file.close()': 'The command fails with the same words while the file is closed.',
    'await file?.close().catch(() => undefined)':
      'The file is closed a moment later, and its rows are on the disk.',
    'await (await file()).datasync().catch(failed)': 'It is for a failure of power.',
  },
  'src/features/sync/upkeep/parquet.ts': {
    'states.set(account, state)': 'Only saves reading the same state again.',
    "await sql.query('PRAGMA mmap_size = 0');":
      'It costs memory, which npm run bench:parquet measures.',
  },
  'src/features/sync/views/views.ts': {
    "await sql.query('ROLLBACK TO": 'The driver sends what follows in the same order.',
  },
  'src/features/tickets/queue/confirm-action.ts': {
    'if (!operation) return;': 'Only for the type: the operation of an entry is in the catalogue.',
  },
  'src/features/tickets/queue/proposals.ts': {
    'if (!sale) return undefined;':
      'Only for the type: without its order, a ticket offers neither refund nor cancellation.',
  },
  'src/ledger/ledger.ts': {
    'await handle?.close()': 'The ledger fails with the same words while the file is closed.',
    'await syncFolder(dirname(path))': 'It is for a failure of power.',
  },
};

/** Undefined for a change that a test should notice. */
export function whyUnnoticed({ file, before }: Pick<Change, 'file' | 'before'>) {
  const text = before.replaceAll(/\s+/g, ' ');
  return Object.entries(known[file] ?? {}).find(([start]) => text.startsWith(start))?.[1];
}
