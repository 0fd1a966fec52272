/**
 * The log of a queue: a CSV file to which lines are only appended. Before a write is sent, a line that says "sent,
 * outcome unknown" is on disk; the line with its outcome follows. So the log tells the truth wherever cb is stopped.
 */
import { isUtf8 } from 'node:buffer';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Arguments } from '../../operations/operation.ts';
import { shownCode } from '../../storage/error-code.ts';
import { syncFolder } from '../../storage/folder.ts';
import { badInput, WorkflowError } from '../errors.ts';
import type { Snapshot } from '../safe-write/verifier.ts';

const columns = [
  ...(['time', 'ticketId', 'receipt', 'email', 'action', 'amount', 'currency'] as const),
  ...(['outcome', 'detail', 'actionId', 'request'] as const),
];

export type Outcome = 'sent, outcome unknown' | 'done' | 'not done' | 'unknown' | 'dry run';

/** What was done to a ticket. */
export interface ActionRecord {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly ticketId: string;
  readonly receipt: string;
  readonly email: string;
  readonly action: string;
  readonly amount: string;
  readonly currency: string;
  readonly outcome: Outcome;
  readonly detail: string;
}

/** What is needed to look for a write later. */
export interface SentRequest {
  readonly command: string;
  readonly args: Arguments;
  readonly before: Snapshot;
  /** Fingerprint of the service and the key. */
  readonly account: string;
}

export interface LogLine extends ActionRecord {
  readonly actionId: string;
  readonly request?: SentRequest | undefined;
}

/** A write of an earlier run whose outcome is unknown. */
export type OpenAction = LogLine & { readonly request: SentRequest };

export interface ActionLog {
  /** Resolves when the line is on disk. */
  add(line: LogLine): Promise<void>;
  close(): Promise<void>;
}

const header = `${columns.join(',')}\n`;

/** Opens or creates a log. Throws a WorkflowError if the file is not such a log or can't be written. */
export async function openActionLog(
  path: string,
): Promise<{ readonly log: ActionLog; readonly open: readonly OpenAction[] }> {
  const bytes = await contentOf(path);
  const text = bytes.toString();
  const whole = completeLines(text);
  const isNew = whole === '' && header.startsWith(text);
  if (!isNew && !whole.startsWith(header)) {
    throw badInput(`${path} is not a log of cb tickets work.`, {
      hint: 'Nothing was sent. Name another file with --log.',
    });
  }
  // Its lengths would not be those of the file. A last line may be cut off within a character.
  if (!isUtf8(bytes.subarray(0, bytes.lastIndexOf('\n') + 1))) {
    throw badInput(`The log ${path} is not UTF-8.`, {
      hint: 'Nothing was sent. Save it as UTF-8, or name another file with --log.',
    });
  }
  const found = isNew ? [] : openActions(whole, path);
  return { log: await continueLog(path, text, whole), open: found };
}

/** Empty if the file does not exist. A pipe would be waited for. */
async function contentOf(path: string): Promise<Buffer> {
  try {
    if ((await stat(path)).isFile()) return await readFile(path);
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    if (cause.code === 'ENOENT') return Buffer.alloc(0);
    throw badInput(`The log ${path} can't be read (${cause.code}).`, { cause });
  }
  throw badInput(`The log ${path} is not a file.`, { hint: 'Name another file with --log.' });
}

/**
 * Drops the beginning of a line that was being written when cb was stopped: nothing was sent before its line was on
 * disk. Keeps a last line that lacks only its line break, as after an edit.
 */
function completeLines(text: string): string {
  const length = text.lastIndexOf('\n') + 1;
  const rest = text.slice(length);
  try {
    const [cells = []]: string[][] = parse(rest);
    const isWhole = length > 0 && cells.length === columns.length;
    return isWhole ? `${text}\n` : text.slice(0, length);
  } catch {
    return text.slice(0, length);
  }
}

/**
 * The last line of each action says what is known about it. Of equal actions only the last one is open, because what a
 * look finds can't be assigned to an earlier one.
 */
function openActions(text: string, path: string): OpenAction[] {
  const byId = new Map<string, LogLine>();
  for (const line of readLines(text, path)) {
    const request = line.request ?? byId.get(line.actionId)?.request;
    byId.set(line.actionId, { ...line, request });
  }
  const latest = new Map<string, LogLine>();
  for (const line of byId.values()) {
    if (line.outcome !== 'not done') latest.set(sameAction(line), line);
  }
  const isUnknown = ({ outcome }: LogLine) =>
    outcome === 'sent, outcome unknown' || outcome === 'unknown';
  return [...latest.values()].filter(
    (line): line is OpenAction => isUnknown(line) && line.request !== undefined,
  );
}

/** Equal for actions that a look can't tell apart: refunds of one receipt, or equal changes of one ticket. */
export function sameAction({
  action,
  receipt,
  ticketId,
}: Pick<ActionRecord, 'action' | 'receipt' | 'ticketId'>): string {
  const isAboutOrder = action === 'refund' || action === 'cancel';
  return JSON.stringify([action, isAboutOrder && receipt ? receipt : ticketId]);
}

function readLines(text: string, path: string): LogLine[] {
  try {
    const rows: Record<string, string>[] = parse(text, { columns: true });
    return rows.map((row) => {
      const request = row.request ? (JSON.parse(row.request) as SentRequest) : undefined;
      return { ...(row as unknown as LogLine), request };
    });
  } catch (cause) {
    throw badInput(`The log ${path} is damaged.`, {
      hint: 'Nothing was sent. Name another file with --log.',
      cause,
    });
  }
}

async function continueLog(path: string, text: string, whole: string): Promise<ActionLog> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'a', 0o600);
    const kept = whole.startsWith(text) ? text : whole;
    await file.truncate(Buffer.byteLength(kept));
    const append = appender(path, file, Buffer.byteLength(kept));
    const missing = whole === '' ? header : whole.slice(kept.length);
    if (missing !== '') await append(missing);
    if (whole === '') await syncFolder(dirname(path));
    const opened = file;
    return { add: (line) => append(lineOf(line)), close: () => opened.close() };
  } catch (cause) {
    await file?.close();
    throw badInput(`The log ${path} can't be written (${shownCode(cause)}).`, {
      hint: 'Nothing was sent. Name another file with --log.',
      cause,
    });
  }
}

/** Appends lines one after the other. A line that can't be written leaves nothing behind. */
function appender(path: string, file: FileHandle, length: number) {
  let size = length;
  let last: Promise<void> = Promise.resolve();
  const append = async (text: string) => {
    try {
      await file.appendFile(text);
      await file.datasync();
      size += Buffer.byteLength(text);
    } catch (cause) {
      await file.truncate(size).catch(() => undefined);
      throw new WorkflowError(
        'not-saved',
        `The log ${path} can't be written (${shownCode(cause)}).`,
        {
          hint: 'Check the last ticket before you continue.',
          cause,
        },
      );
    }
  };
  return (text: string): Promise<void> => {
    last = last.catch(() => undefined).then(() => append(text));
    return last;
  };
}

function lineOf(line: LogLine): string {
  const request = line.request ? JSON.stringify(line.request) : '';
  const cells = columns.map((name) => (name === 'request' ? request : cellText(line[name])));
  return `${cells.map(quoted).join(',')}\n`;
}

/** Spreadsheets also read full-width signs, and some trim white space in front. */
const formula = /^[\s\p{Cf}]*[=+\-@＝＋－＠]/u;

/** One line, and no text that a spreadsheet would run as a formula. */
function cellText(value: string): string {
  const text = value.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  return formula.test(text) && !/^-?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
