/** What an import says: what its rows would do, the question before anything is sent, its plan, results and summary. */
import { group } from 'd3-array';
import type { Client } from '../../client/client.ts';
import type { ApiError } from '../../client/errors.ts';
import { requestFor } from '../../client/http/request.ts';
import { badInput } from '../../client/workflow-error.ts';
import { addDecimals, countOf, groupedCount } from '../../decimals/decimals.ts';
import type { Operation } from '../../operations/operation.ts';
import { ticketTypes } from '../../operations/tickets.ts';
import { render } from '../../output/render.ts';
import type { Row } from '../../output/rows/rows.ts';
import { planWrite } from '../../safe-write/confirmation.ts';
import { type Amounts, openReader } from '../../safe-write/reads.ts';
import { rulesOf, verifierOf } from '../../safe-write/rules.ts';
import { irreversible, ticketTypeNames } from '../../safe-write/sentence.ts';
import type { Look } from '../../safe-write/verifier.ts';
import type { Warning } from '../../safe-write/warnings.ts';
import type { CommandContext } from '../../shell/context.ts';
import { showIfRead, showText, showValue } from '../../shell/display/show.ts';
import { writeTo } from '../../shell/display/sink.ts';
import { exitCodes, Failure, failureFrom } from '../../shell/failure.ts';
import type { WriteFlags } from '../../shell/options/flags.ts';
import { isStructured, type OutputOptions } from '../../shell/options/show-flags.ts';
import { confirm } from '../../shell/terminal/ask.ts';
import { inWords, requestText } from '../mirror/endpoint-write.ts';
import type { ImportAccount } from './journal.ts';
import type { ImportRow, ImportRows } from './rows.ts';
import type { RowState, RowStates } from './send-rows.ts';

interface CheckedRow {
  readonly warnings: readonly Warning[];
  readonly look?: Look | undefined;
  /** The amounts that the row would refund, if they could be read. */
  readonly refund?: Amounts | undefined;
}

/** What was read about the rows, by line; empty if nothing could be read. */
export type Checks = ReadonlyMap<number, CheckedRow>;

interface CheckOptions {
  readonly concurrency: number;
  readonly findMatches?: boolean;
  /** Nobody is asked: reads only what may require permission, to save a request for each row. */
  readonly isUnseen?: boolean;
}

/**
 * Reads the effect of each row. Sends no write. Throws if a read fails, and a WorkflowError if the last line has no line end
 * and ClickBank does not have the order of its row: the file may be cut off, and a part of a receipt may be another one.
 */
export async function checkRows(
  cmd: CommandContext,
  client: Client,
  operation: Operation,
  { unended }: ImportRows,
  toSend: readonly ImportRow[],
  { concurrency, findMatches, isUnseen }: CheckOptions,
): Promise<Checks> {
  if (unended && toSend.includes(unended)) {
    const { line, key } = unended;
    if ((await openReader(client).order(key)).state !== 'found') {
      throw badInput(
        `Line ${line}, the last one, has no line end, and ClickBank shows no order ${key}: the file may be cut off. Nothing was sent.`,
        { hint: 'Complete the file. If it is complete, add a line end.' },
      );
    }
  }
  const rules = rulesOf(operation);
  const checked = new Map<number, CheckedRow>();
  const waiting = toSend.values();
  const work = async () => {
    for (const { line, key, args } of waiting) {
      cmd.context.signal.throwIfAborted();
      const reader = openReader(client);
      const check = async (): Promise<CheckedRow> => {
        if (isUnseen) return { warnings: (await rules?.warn?.(reader, args)) ?? [] };
        const { warnings } = await planWrite(client, operation, args, reader);
        const refund = await rules?.refund?.(reader, args);
        const look = findMatches ? await verifierOf(operation)?.look(client, args) : undefined;
        return { warnings, refund, look };
      };
      const row = await check().catch((error: unknown) => {
        const { status = 0 } = failureFrom(error);
        // ClickBank may fail for this order only, and nothing is sent until its row is removed.
        if (status >= 500) cmd.messages.say(`Line ${line} (${key}) could not be checked.`);
        throw error;
      });
      checked.set(line, row);
      cmd.messages.status(`${checked.size} of ${countOf(toSend.length, 'row')} checked`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  cmd.messages.status('');
  return checked;
}

interface PendingImport {
  readonly flags: WriteFlags;
  readonly account: ImportAccount;
  readonly toSend: readonly ImportRow[];
  readonly retried: readonly ImportRow[];
  readonly checks: Checks;
}

/** Returns if a person confirms, or with --yes and the options that the warnings require. */
export async function confirmImport(
  cmd: CommandContext,
  { flags, account, toSend, retried, checks }: PendingImport,
): Promise<void> {
  for (const { line, key } of toSend) {
    for (const { message } of checks.get(line)?.warnings ?? []) {
      cmd.messages.say(`warning: Line ${line} (${key}): ${message}.`);
    }
  }
  for (const row of retried) {
    cmd.messages.say(`Line ${row.line} has an unknown outcome: ${valuesOf(row)}`);
  }
  if (flags.yes) {
    requireAllowRefund(toSend, checks, flags);
    return;
  }
  if (toSend.length === 0) return;
  const first = toSend.slice(0, 3).map((row) => `  line ${row.line}: ${valuesOf(row)}`);
  cmd.messages.say([...first, ...(toSend.length > 3 ? ['  …'] : [])].join('\n'));
  const again = `${countOf(retried.length, 'row')} may be done already and will be sent again if not found: line ${retried.map(({ line }) => line).join(', ')}.`;
  const question = [
    ...warningSentences(toSend, checks),
    ...(retried.length > 0 ? [again] : []),
    `Create ${thingsOf(toSend)} with ${account.isProfile ? 'profile ' : ''}${account.name}?`,
    ...refundSentences(toSend, checks),
  ];
  await confirm(cmd, question.join(' '));
}

function valuesOf({ args }: ImportRow): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/** Counts the rows by what they create, as in "2 refund tickets and 1 cancellation ticket" or "3 ship notices". */
function thingsOf(rows: readonly ImportRow[]): string {
  const ofName = group(rows, (row) => {
    const type = ticketTypes[typeOf(row)];
    return type ? `${ticketTypeNames[type]} ticket` : 'ship notice';
  });
  return [...ofName].map(([name, some]) => countOf(some.length, name)).join(' and ');
}

function typeOf({ args }: ImportRow): string {
  return 'type' in args ? String(args.type) : '';
}

/** Writes sentences such as "2 refunds, total 66.00 USD. This can't be undone." */
function refundSentences(rows: readonly ImportRow[], checks: Checks): string[] {
  const refunds = rows.filter(
    (row) => typeOf(row) === 'rfnd' || checks.get(row.line)?.refund !== undefined,
  );
  if (refunds.length === 0) return [];
  const amounts = refunds.flatMap(({ line }) => checks.get(line)?.refund?.usdAmount ?? []);
  const count = countOf(refunds.length, 'refund');
  const total = amounts.length > 0 ? addDecimals(amounts) : undefined;
  const unknown = refunds.length - amounts.length;
  if (total === undefined) return [`${count}, total unknown.`, irreversible];
  const rest = unknown > 0 ? `, and ${unknown} of unknown amount` : '';
  return [`${count}, total ${total} USD${rest}.`, irreversible];
}

/** Throws if a row may refund money without a confirmation or --allow-refund. */
export function requireAllowRefund(
  rows: readonly ImportRow[],
  checks: Checks,
  { allowRefund }: WriteFlags,
): void {
  const needsPermission = ({ requires }: Warning) => requires === 'allow-refund';
  const sentences = warningSentences(rows, checks, needsPermission);
  if (sentences.length === 0 || allowRefund) return;
  throw new Failure(exitCodes.declined, `${sentences.join(' ')} Nothing was sent.`, {
    hint: 'Remove these rows, or pass --allow-refund to send them anyway.',
  });
}

const effects: Partial<Record<Warning['kind'], string>> = {
  'refunds-sale': 'would refund a one-time sale',
  'not-refundable': "can't be refunded",
  'several-items': 'names no item of an order with several items',
  refused: 'would be refused',
  'not-checked': 'could not be checked',
};

/** Writes one sentence for each kind of warning, as in "2 of 40 rows would refund a one-time sale: line 2 …". */
function warningSentences(
  rows: readonly ImportRow[],
  checks: Checks,
  counts: (warning: Warning) => boolean = () => true,
): string[] {
  const byKind = new Map<Warning['kind'], string[]>();
  for (const { line, key } of rows) {
    for (const warning of (checks.get(line)?.warnings ?? []).filter(counts)) {
      const { kind, amount, currency } = warning;
      const money = [amount, currency].filter(Boolean).join(' ');
      const named = `line ${line} ${key}${money && ` (${money})`}`;
      byKind.set(kind, [...(byKind.get(kind) ?? []), named]);
    }
  }
  return [...byKind].map(([kind, named]) => {
    const effect = effects[kind] ?? (named.length === 1 ? 'has a warning' : 'have a warning');
    return `${named.length} of ${countOf(rows.length, 'row')} ${effect}: ${named.join(', ')}.`;
  });
}

/** Prints each request with its line in the input and its warnings. Sends nothing. */
export async function showPlan(
  cmd: CommandContext,
  output: OutputOptions,
  operation: Operation,
  rows: readonly ImportRow[],
  checks: Checks,
  { allowDuplicate }: WriteFlags,
): Promise<void> {
  if (isStructured(output)) {
    const plan = rows.map(({ line, args }): Row => {
      const { warnings = [], look } = checks.get(line) ?? {};
      const checked = checks.has(line);
      const warningRows = warnings.map((warning): Row => ({ ...warning }));
      const request = inWords(requestFor(operation, args));
      const existingMatch = look?.existingMatch ?? null;
      return { line, ...request, checked, warnings: warningRows, existingMatch };
    });
    return showValue(cmd, output, plan);
  }
  const effect = allowDuplicate ? 'warning' : 'would not be sent';
  const texts = rows.flatMap(({ line, args }) => {
    const { warnings, look } = checks.get(line) ?? {};
    return [
      `line ${line}: ${requestText(requestFor(operation, args))}`,
      ...(warnings?.map(({ message }) => `  warning: ${message}`) ?? ['  not checked']),
      ...(look?.existingMatch ? [`  ${effect}: ${look.existingMatch}`] : []),
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

interface ImportEnd {
  readonly results: string | null;
  readonly isRestart?: boolean | undefined;
  readonly stopped?: ApiError | undefined;
}

/**
 * Prints the summary. Throws if a signal stopped the import, if the error `stopped` did so before any row was done, or if
 * a row failed or its outcome is unknown (exit code 8).
 */
export async function showSummary(
  cmd: CommandContext,
  output: OutputOptions,
  { total: rows, valid, duplicates, invalid }: ImportRows,
  states: RowStates,
  { results, isRestart, stopped }: ImportEnd,
): Promise<void> {
  const { messages, context } = cmd;
  const statuses = valid.map(({ line }) => statusOf(states.get(line)).replace(/:.*$/s, ''));
  const count = (wanted: string) => statuses.filter((status) => status === wanted).length;
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
  const again = `the same command again${isRestart ? ' without --restart' : ''}`;
  const retry = `--retry-unknown${isRestart ? ' instead of --restart' : ''}`;
  if ((context.signal.aborted || stopped) && notSentYet > 0) {
    const left = `Stopped with ${groupedCount(notSentYet, 'row')} left.`;
    messages.say(`${left} To continue, run ${again}. No row is sent twice.`);
  }
  context.signal.throwIfAborted();
  if (stopped && summary.done + unknown === 0) throw stopped;
  if (failed + unknown === 0) return;
  const isFailed = failed > 0 && `${failed} of ${rows} rows failed`;
  const isUnknown =
    unknown > 0 && `${isFailed ? 'the' : 'The'} outcome of ${unknown} of ${rows} rows is unknown`;
  const hints = [
    `See ${results}.`,
    count('failed') > 0 && `Run ${again} to send failed rows.`,
    invalid.length > 0 && 'Correct invalid rows in a separate file, and import that file.',
    isUnknown && `Check rows whose outcome is unknown before you send them again with ${retry}.`,
  ];
  const message = `${[isFailed, isUnknown].filter(Boolean).join(', and ')}.`;
  throw new Failure(exitCodes.incomplete, message, { hint: hints.filter(Boolean).join(' ') });
}
