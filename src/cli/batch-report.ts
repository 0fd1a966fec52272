/** What a person and a script learn of many writes: what would be sent, how far it is, what became of each. */
import type { Operation } from '../operations/operation.ts';
import { renderRows } from '../output/render.ts';
import type { Row } from '../output/rows.ts';
import type { BadRow, Entry } from './batch-rows.ts';
import type { JournalEntry } from './journal.ts';
import type { Shell } from './shell.ts';
import { showText, showValue } from './show.ts';
import type { Showing } from './show-flags.ts';
import { writeTo } from './sink.ts';

/** Prints each request with its line in the input, and sends nothing. */
export async function showPlan(
  shell: Shell,
  showing: Showing,
  operation: Operation,
  entries: readonly Entry[],
): Promise<void> {
  const { requestFor } = await import('../api/request.ts');
  const requests = entries.map(({ line, args }) => ({ line, ...requestFor(operation, args) }));
  if (showing.format === 'json' || showing.format === 'ndjson') {
    const rows = requests.map((one) => ({ ...one, query: Object.fromEntries(one.query) }));
    await showValue(shell, showing, rows as unknown as Row[]);
    return;
  }
  const texts = requests.map(({ line, method, path, query }) => {
    const values = query.map(([name, value]) => `  ${name}=${value}`);
    return [`line ${line}: ${method} ${path}`, ...values].join('\n');
  });
  await showText(shell, showing, texts.join('\n'));
}

/** A row in the result file: the state in words. */
function statusOf(entry: JournalEntry | undefined): string {
  if (entry === undefined) return 'not sent yet';
  if (entry.state === 'already') return 'already there';
  if (entry.state === 'sending') return 'unknown: it may have been sent';
  return 'why' in entry ? `${entry.state}: ${entry.why}` : entry.state;
}

/** Writes the result file, whole or not at all: a row for each of the input. */
export async function writeResults(
  shell: Shell,
  path: string,
  entries: readonly Entry[],
  bad: readonly BadRow[],
  stateOf: (line: number) => JournalEntry | undefined,
): Promise<void> {
  const rows = [
    ...entries.map(({ line, key }) => ({ line, receipt: key, status: statusOf(stateOf(line)) })),
    ...bad.map(({ line, key, why }) => ({ line, receipt: key, status: `failed: ${why}` })),
  ].sort((a, b) => a.line - b.line);
  await writeTo(shell.context, path, async (sink) => {
    for await (const text of renderRows('csv', onePage(rows), {})) await sink.write(text);
  });
}

async function* onePage(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

export interface Progress {
  step(): void;
  end(): void;
}

/** A counter on stderr, where a person looks at it. */
export function progressOn({ context: { stderr } }: Shell, total: number): Progress {
  let count = 0;
  const draw = () => stderr.isTTY && stderr.write(`\r${count} of ${total} rows`);
  return {
    step() {
      count += 1;
      draw();
    },
    end: () => stderr.isTTY && count > 0 && stderr.write('\n'),
  };
}
