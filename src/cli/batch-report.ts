/** What an import prints and writes: the plan, the progress, the result file. */
import type { Operation } from '../operations/operation.ts';
import { renderRows } from '../output/render.ts';
import type { Row } from '../output/rows.ts';
import type { CheckedRow } from '../workflows/bulk-import/check-rows.ts';
import type { ImportRow, ImportRows } from '../workflows/bulk-import/rows.ts';
import type { RowStates } from '../workflows/bulk-import/run.ts';
import type { RowState } from '../workflows/bulk-import/write-row.ts';
import type { Shell } from './shell.ts';
import { showText, showValue } from './show.ts';
import type { Showing } from './show-flags.ts';
import { writeTo } from './sink.ts';

/** What was read about the rows, by line; empty where nothing could be read. */
export type Checks = ReadonlyMap<number, CheckedRow>;

/** Prints each request with its line in the input and its warnings. Sends nothing. */
export async function showPlan(
  shell: Shell,
  showing: Showing,
  operation: Operation,
  rows: readonly ImportRow[],
  checks: Checks,
): Promise<void> {
  const { requestFor } = await import('../api/request.ts');
  const requests = rows.map(({ line, args }) => ({ line, ...requestFor(operation, args) }));
  if (showing.format === 'json' || showing.format === 'ndjson') {
    const plan = requests.map(({ line, method, path, query }) => {
      const check = checks.get(line);
      return {
        ...{ line, method, path, query: Object.fromEntries(query) },
        checked: check !== undefined,
        warnings: check?.warnings ?? [],
        existingMatch: check?.existingMatch ?? null,
      };
    });
    await showValue(shell, showing, plan as unknown as Row[]);
    return;
  }
  const texts = requests.map(({ line, method, path, query }) => {
    const values = query.map(([name, value]) => `  ${name}=${value}`);
    return [`line ${line}: ${method} ${path}`, ...values, ...remarksOn(checks.get(line))].join(
      '\n',
    );
  });
  await showText(shell, showing, texts.join('\n'));
}

function remarksOn(check: CheckedRow | undefined): string[] {
  if (!check) return ['  not checked'];
  const { warnings, existingMatch } = check;
  return [
    ...warnings.map(({ message }) => `  warning: ${message}`),
    ...(existingMatch === undefined ? [] : [`  would not be sent: ${existingMatch}`]),
  ];
}

/** The state of a row in words. */
export function statusOf(state: RowState | undefined): string {
  if (state === undefined) return 'not sent yet';
  if (state.state === 'existing') return 'already there';
  return 'why' in state ? `${state.state}: ${state.why}` : state.state;
}

/** Writes the result file, whole or not at all: a line for each row of the input. */
export async function writeResults(
  shell: Shell,
  path: string,
  { valid, duplicates, invalid }: ImportRows,
  checks: Checks,
  states: RowStates,
): Promise<void> {
  const warning = '';
  const rows = [
    ...valid.map(({ line, key }) => ({
      ...{ line, receipt: key, status: statusOf(states.get(line)) },
      warning: warningsOn(checks.get(line)),
    })),
    ...duplicates.map(({ line, key, duplicateOf }) => {
      return { line, receipt: key, status: `duplicate of line ${duplicateOf}`, warning };
    }),
    ...invalid.map(({ line, key, why }) => {
      return { line, receipt: key, status: `failed: ${why}`, warning };
    }),
  ].sort((a, b) => a.line - b.line);
  await writeTo(shell.context, path, async (sink) => {
    for await (const text of renderRows('csv', onePage(rows), {})) await sink.write(text);
  });
}

function warningsOn(check: CheckedRow | undefined): string {
  return (check?.warnings ?? []).map(({ message }) => message).join('; ');
}

async function* onePage(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

export interface Progress {
  step(): void;
  end(): void;
}

/** A counter on stderr if it is a terminal, as in "3 of 40 rows sent". */
export function progressOn({ context: { stderr } }: Shell, total: number, verb: string): Progress {
  let count = 0;
  const draw = () => stderr.isTTY && stderr.write(`\r${count} of ${total} rows ${verb}`);
  return {
    step() {
      count += 1;
      draw();
    },
    end: () => stderr.isTTY && count > 0 && stderr.write('\n'),
  };
}
