/** How agents read the copy: in a process that ends with the call, within limits of time and memory. */
import { realClock } from '../../client/clock.ts';
import type { CopyAccess } from '../../mcp/tool.ts';
import { openCopyReader, openQueries } from '../../workflows/sync/query/remote-queries.ts';
import type { Context } from '../runtime/context.ts';

/** Milliseconds that a call may take. */
const longest = 30_000;

const limits = { keepsInMemory: true };

export function copyAccess({ clock = realClock, startQueries }: Context, file: string): CopyAccess {
  const patience = { milliseconds: longest, clock };
  const options = { file, patience, start: startQueries };
  // One query can use a whole processor, and all of its memory.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <C extends { close(): Promise<void> }, T>(
    open: () => C,
    work: (copy: C) => Promise<T>,
  ): Promise<T> => {
    const result = last.then(async () => {
      const copy = open();
      try {
        return await work(copy);
      } finally {
        await copy.close();
      }
    });
    last = result.catch(() => undefined);
    return result;
  };
  return {
    queries: (cut, signal, work) =>
      inTurn(() => openQueries({ ...options, signal, limits: { ...limits, longest: cut } }), work),
    reader: (signal, work) => inTurn(() => openCopyReader({ ...options, signal, limits }), work),
  };
}
