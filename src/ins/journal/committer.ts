/** Commits the work of many requests in one transaction, so that one write to the disk serves all of them. */
import type { Database } from '../../storage/sqlite.ts';

export interface Committer {
  /** Runs synchronous work in the next transaction, and resolves with its result when this is on the disk. */
  commit<T>(work: () => T): Promise<T>;
}

interface Task {
  work(): unknown;
  done(result: unknown): void;
  fail(error: unknown): void;
}

/** All work that is waiting when the event loop gets to it is one transaction: it is committed or fails together. */
export function openCommitter(database: Pick<Database, 'immediately'>): Committer {
  let waiting: Task[] = [];

  function flush(): void {
    const batch = waiting;
    waiting = [];
    try {
      const results = database.immediately(() => batch.map(({ work }) => work()));
      for (const [index, task] of batch.entries()) task.done(results[index]);
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }

  return {
    commit: <T>(work: () => T) =>
      new Promise<T>((done, fail) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ work, done: (result) => done(result as T), fail });
      }),
  };
}
