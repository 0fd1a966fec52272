/** Reads the input of an import and checks its rows. */
import { createReadStream } from 'node:fs';
import type { Operation } from '../../operations/operation.ts';
import { codeOf } from '../../storage/error-code.ts';
import { digestedStream, digestOf } from '../../storage/fingerprint.ts';
import { columnsOf } from '../../workflows/bulk-import/columns.ts';
import type { ImportFacts } from '../../workflows/bulk-import/identity.ts';
import { type ImportRows, readRows } from '../../workflows/bulk-import/rows.ts';
import { readTable } from '../../workflows/bulk-import/table.ts';
import { messageOf } from '../flags/findings.ts';
import type { Typed } from '../flags/flags.ts';
import { readArguments } from '../flags/values.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { pathOf } from '../runtime/folders.ts';
import type { BatchFlags } from './import-flags.ts';

export interface Batch {
  readonly operation: Operation;
  /** A file, or `-` for standard input. */
  readonly file: string;
  readonly defaults: Typed;
  readonly flags: BatchFlags;
}

/** Reads and checks all rows. Throws if some are invalid, unless they may be skipped. */
export async function readImport(cmd: CommandContext, batch: Batch, day: ImportFacts['day']) {
  const { operation, defaults, flags, file } = batch;
  const input = digestedStream(readInput(cmd, file));
  const table = await readTable(input.content, file, delimiterFrom(flags.delimiter));
  const columns = columnsOf(operation, table, { ...flags, map: mapFrom(flags.map) });
  const rows = await readRows(operation, table, columns, {
    defaults,
    signal: cmd.context.signal,
    allowDuplicate: flags.allowDuplicate === true,
    read: (values) => {
      const { args, findings } = readArguments(operation, values, day);
      const messagesOf = (weight: string) =>
        findings
          .filter((one) => one.weight === weight)
          .map((one) => messageOf(operation, one, day));
      return { args, problems: messagesOf('problem'), notes: messagesOf('note') };
    },
  });
  if (columns.ignored.length > 0) {
    cmd.messages.say(`note: These columns are not used: ${columns.ignored.join(', ')}.`);
  }
  for (const { line, why } of rows.duplicates) {
    cmd.messages.say(`note: Line ${line} is a ${why} and is not sent.`);
  }
  refuseInvalidRows(cmd, rows, flags.skipInvalid === true);
  for (const note of rows.notes) cmd.messages.say(`note: ${note}`);
  const facts: ImportFacts = {
    command: operation.command,
    input: input.digest(),
    settings: digestOf(JSON.stringify([columns.params, columns.usDates, Object.entries(defaults)])),
    day,
  };
  return { rows, facts };
}

function refuseInvalidRows(
  cmd: CommandContext,
  { invalid, total }: ImportRows,
  skip: boolean,
): void {
  for (const { line, why } of invalid) cmd.messages.say(`Line ${line}: ${why}`);
  if (invalid.length === 0 || skip) return;
  throw usage(
    `${invalid.length} of ${total} rows ${invalid.length === 1 ? 'is' : 'are'} invalid. Nothing was sent.`,
    { hint: 'Correct them, or pass --skip-invalid to send the other rows.' },
  );
}

async function* readInput(
  { context }: CommandContext,
  file: string,
): AsyncGenerator<Uint8Array, void> {
  try {
    const stream = file === '-' ? context.stdin : createReadStream(pathOf(context, file));
    for await (const part of stream) {
      context.signal.throwIfAborted();
      yield part;
    }
  } catch (cause) {
    const code = codeOf(cause);
    if (code === undefined || context.signal.aborted) throw cause;
    throw usage(`${file} can't be read (${code}).`, { cause });
  }
}

function delimiterFrom(typed: string | undefined): string | undefined {
  const mark = typed === '\\t' || typed === 'tab' ? '\t' : typed;
  if (mark === undefined || mark.length === 1) return mark;
  throw usage(`Invalid --delimiter '${typed}'. Use one character, or tab.`);
}

/** `Column=parameter,…` */
function mapFrom(typed: string | undefined): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const pair of typed?.split(',') ?? []) {
    const at = pair.lastIndexOf('=');
    const [column, param] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at < 1 || param === '') throw usage(`Invalid --map '${pair}'. Use 'Column=parameter'.`);
    if ([...map.values()].includes(param))
      throw usage(`--map names the parameter '${param}' twice.`);
    map.set(column, param);
  }
  return map;
}
