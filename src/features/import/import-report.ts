/** The output of an import: plan, result file, and summary. */
import { requestFor } from '../../client/http/request.ts';
import { groupedCount } from '../../decimals/decimals.ts';
import type { Operation } from '../../operations/operation.ts';
import { render } from '../../output/render.ts';
import type { Row } from '../../output/rows/rows.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { showIfRead, showText, showValue } from '../../shell/display/show.ts';
import { writeTo } from '../../shell/display/sink.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure } from '../../shell/failure.ts';
import { isStructured, type OutputOptions } from '../../shell/options/show-flags.ts';
import { inWords, requestText } from '../mirror/endpoint-write.ts';
import type { Checks } from './confirm-import.ts';
import type { ImportRow, ImportRows } from './rows.ts';
import type { RowState, RowStates } from './send-rows.ts';

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
  const texts = rows.flatMap(({ line, args }) => {
    const { warnings, existingMatch } = checks.get(line) ?? {};
    return [
      `line ${line}: ${requestText(requestFor(operation, args))}`,
      ...(warnings?.map(({ message }) => `  warning: ${message}`) ?? ['  not checked']),
      ...(existingMatch === undefined ? [] : [`  would not be sent: ${existingMatch}`]),
    ];
  });
  return showText(cmd, output, texts.join('\n'));
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

/** Prints the summary. Throws if the import was stopped, and if a row failed or its outcome is unknown (exit code 8). */
export async function showSummary(
  cmd: CommandContext,
  output: OutputOptions,
  { valid, duplicates, invalid }: ImportRows,
  states: RowStates,
  { results, isRestart }: { readonly results: string; readonly isRestart: boolean },
): Promise<void> {
  const { messages, context } = cmd;
  const statuses = valid.map(({ line }) => statusOf(states.get(line)).replace(/:.*$/s, ''));
  const count = (wanted: string) => statuses.filter((status) => status === wanted).length;
  const rows = valid.length + duplicates.length + invalid.length;
  const failed = count('failed') + invalid.length;
  const unknown = count('unknown');
  const notSentYet = count('not sent yet');
  const summary = {
    ...{ rows, done: count('done'), alreadyThere: count('already there') },
    ...{ duplicates: duplicates.length, failed, unknown, notSentYet, results },
  };
  for (const { line, key } of valid) {
    const state = states.get(line);
    if (state?.why !== undefined && !state.isThere) {
      messages.say(`Line ${line} (${key}): ${statusOf(state)}`);
    }
  }
  await showIfRead(showValue(cmd, output, summary, { layout: 'cards' }));
  if (context.signal.aborted && notSentYet > 0) {
    const again = `run the same command again${isRestart ? ' without --restart' : ''}`;
    const left = `Stopped with ${groupedCount(notSentYet, 'row')} left.`;
    messages.say(`${left} To continue, ${again}. No row is sent twice.`);
  }
  context.signal.throwIfAborted();
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
