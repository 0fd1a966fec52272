/** The output of an import: plan, progress, result file, and summary. */
import { requestFor } from '../../client/http/request.ts';
import type { Operation } from '../../operations/operation.ts';
import { render } from '../../output/render.ts';
import type { Row } from '../../output/rows/rows.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { showIfRead, showText, showValue } from '../../shell/display/show.ts';
import { writeTo } from '../../shell/display/sink.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure } from '../../shell/failure.ts';
import { isStructured, type OutputOptions } from '../../shell/options/show-flags.ts';
import { inWords, requestText } from '../mirror/dry-run.ts';
import type { CheckedRow } from './check-rows.ts';
import type { ImportRow, ImportRows } from './rows.ts';
import type { RowStates } from './run.ts';
import type { RowState } from './write-row.ts';

/** The data that was read about the rows, by line; empty if nothing could be read. */
export type Checks = ReadonlyMap<number, CheckedRow>;

/** Prints each request with its line in the input and its warnings. Sends nothing. */
export async function showPlan(
  cmd: CommandContext,
  output: OutputOptions,
  operation: Operation,
  rows: readonly ImportRow[],
  checks: Checks,
): Promise<void> {
  if (isStructured(output)) {
    const plan = rows.map(({ line, args }): Row => {
      const { warnings = [], existingMatch = null } = checks.get(line) ?? {};
      const checked = checks.has(line);
      const warningRows = warnings.map((warning): Row => ({ ...warning }));
      const request = inWords(requestFor(operation, args));
      return { line, ...request, checked, warnings: warningRows, existingMatch };
    });
    return showValue(cmd, output, plan);
  }
  const texts = rows.flatMap(({ line, args }) => [
    `line ${line}: ${requestText(requestFor(operation, args))}`,
    ...notesOn(checks.get(line)).map((note) => `  ${note}`),
  ]);
  return showText(cmd, output, texts.join('\n'));
}

function notesOn(check: CheckedRow | undefined): string[] {
  if (!check) return ['not checked'];
  const { warnings, existingMatch } = check;
  return [
    ...warnings.map(({ message }) => `warning: ${message}`),
    ...(existingMatch === undefined ? [] : [`would not be sent: ${existingMatch}`]),
  ];
}

function statusOf(state: RowState | undefined): string {
  if (state === undefined) return 'not sent yet';
  if (state.isThere) return 'already there';
  if (state.state === 'done') return 'done';
  return `${state.state === 'not done' ? 'failed' : state.state}: ${state.why}`;
}

/** Writes the result file atomically, with one line for each row of the input. */
export async function writeResults(
  cmd: CommandContext,
  path: string,
  { valid, duplicates, invalid }: ImportRows,
  checks: Checks,
  states: RowStates,
): Promise<void> {
  const result = (row: { line: number; key: string }, status: string) => ({
    ...{ line: row.line, receipt: row.key, status },
    warning: (checks.get(row.line)?.warnings ?? []).map(({ message }) => message).join('; '),
  });
  const rows = [
    ...valid.map((row) => result(row, statusOf(states.get(row.line)))),
    ...duplicates.map((row) => result(row, row.why)),
    ...invalid.map((row) => result(row, `failed: ${row.why}`)),
  ].sort((a, b) => a.line - b.line);
  await writeTo(cmd.context, path, async (sink) => sink.write(await render('csv', rows, {})));
}

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

/** Prints the summary. Throws a Failure (exit code 8) if a row failed or its outcome is unknown. */
export async function showSummary(
  cmd: CommandContext,
  output: OutputOptions,
  { valid, duplicates, invalid }: ImportRows,
  states: RowStates,
  results: string,
): Promise<void> {
  const statuses = valid.map(({ line }) => statusOf(states.get(line)).replace(/:.*$/s, ''));
  const count = (wanted: string) => statuses.filter((status) => status === wanted).length;
  const summary = {
    rows: valid.length + duplicates.length + invalid.length,
    done: count('done'),
    alreadyThere: count('already there'),
    duplicates: duplicates.length,
    failed: count('failed') + invalid.length,
    unknown: count('unknown'),
    notSentYet: count('not sent yet'),
    results,
  };
  for (const { line, key } of valid) {
    const state = states.get(line);
    if (state?.why !== undefined && !state.isThere)
      cmd.messages.say(`Line ${line} (${key}): ${statusOf(state)}`);
  }
  await showIfRead(showValue(cmd, output, summary, { layout: 'cards' }));
  cmd.context.signal.throwIfAborted();
  const { rows, failed, unknown } = summary;
  if (failed + unknown === 0) return;
  const isFailed = failed > 0 && `${failed} of ${rows} rows failed`;
  const isUnknown =
    unknown > 0 && `${isFailed ? 'the' : 'The'} outcome of ${unknown} of ${rows} rows is unknown`;
  const hints = [
    `See ${results}.`,
    isFailed && 'Run the same command again to send failed rows.',
    isUnknown && 'Check rows of unknown outcome before you send them again with --retry-unknown.',
  ];
  const message = `${[isFailed, isUnknown].filter(Boolean).join(', and ')}.`;
  throw new Failure(exitCodes.incomplete, message, { hint: hints.filter(Boolean).join(' ') });
}
