/** Where a result goes: stdout, or a file that appears under its name only when it is whole. */
import { accessSync, constants, lstatSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { visible, visibleDrawing } from '../../output/table/terminal-text.ts';
import { openReplacement } from '../../storage/atomic-file.ts';
import type { Context, Screen } from '../runtime/context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure, usage } from '../runtime/failure.ts';
import { pathOf } from '../runtime/folders.ts';
import type { PagedScreen } from '../terminal/pager.ts';

export interface Sink {
  /** Resolves when the text is taken, so that a slow reader slows the writer. */
  write(text: string | Uint8Array): Promise<void>;
  commit(): Promise<void>;
  /** The result broke off: a file is left as it was before. */
  discard(): Promise<void>;
  /** Something was written that can't be taken back. */
  readonly shown: boolean;
}

/** `drawing` is what was laid out for people, and may have colours; `data` goes as it is to all but terminals. */
export type Content = 'data' | 'drawing';

/** Runs `fill` with the sink that `out` names; `-` and nothing are stdout, which may go through a pager. */
export async function writeTo(
  context: Context,
  out: string | undefined,
  fill: (sink: Sink) => Promise<void>,
  content: Content = 'data',
  page?: (print: Print) => PagedScreen,
): Promise<void> {
  const place = placeOf(context, out);
  const sink =
    place.kind === 'screen'
      ? screenSink(context.stdout, content, page)
      : await (place.kind === 'file' ? fileSink(place.path) : pipeSink(place.path));
  await fillSink(sink, fill);
}

export function fileOf(out: string | undefined): string | undefined {
  return out === '-' || out === '/dev/stdout' ? undefined : out;
}

/** A stream is a pipe with a name, or a device: it takes what is written, and can't be replaced. */
export type Place =
  | { readonly kind: 'screen' }
  | { readonly kind: 'file' | 'stream'; readonly path: string };

/** Where `--out` leads. Throws a usage failure where nothing can be written: ask before anything is sent. */
export function placeOf(context: Context, out: string | undefined, flag = '--out'): Place {
  const name = fileOf(out);
  if (name === undefined) return { kind: 'screen' };
  const path = pathOf(context, name);
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    const kind = stats && !stats.isFile() ? 'stream' : 'file';
    const target = stats ? followed(context, path) : path;
    accessSync(kind === 'stream' ? path : `${dirname(target)}/`, constants.W_OK);
    return { kind, path: target };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw usage(`${flag} ${path} can't be written (${code})`, { cause });
  }
}

/** A link of the user's own stays, and what it names is written; somebody else's is replaced. */
function followed({ user }: Context, path: string): string {
  const link = lstatSync(path);
  const isOwn = user === undefined || link.uid === user;
  return link.isSymbolicLink() && isOwn ? realpathSync(path) : path;
}

export async function fillSink(sink: Sink, fill: (sink: Sink) => Promise<void>): Promise<void> {
  try {
    await fill(sink);
  } catch (error) {
    await sink.discard();
    throw error;
  }
  await sink.commit();
}

type Print = (text: string | Uint8Array) => Promise<void>;

/** All output to stdout passes here: on a terminal, escape sequences are made visible. */
function screenSink(screen: Screen, content: Content, page?: (print: Print) => PagedScreen): Sink {
  const harmless = content === 'drawing' ? visibleDrawing : visible;
  const print: Print = (text) =>
    new Promise((done, fail) => {
      screen.write(text, (error) => (error ? fail(error) : done()));
    });
  const paged = screen.isTTY ? page?.(print) : undefined;
  const write = (text: string | Uint8Array) => {
    if (!screen.isTTY) return print(text);
    return (paged?.write ?? print)(harmless(String(text)));
  };
  return streamSink(write, async () => paged?.end());
}

async function pipeSink(path: string): Promise<Sink> {
  const file: FileHandle = await open(path, constants.O_WRONLY).catch((cause) => {
    throw cannotWrite(path, cause);
  });
  return streamSink(
    (text) => file.writeFile(text),
    () => file.close().catch(() => undefined),
  );
}

function streamSink(write: Sink['write'], close: () => Promise<void>): Sink {
  let shown = false;
  return {
    get shown() {
      return shown;
    },
    async write(text) {
      shown = true;
      await write(text).catch((cause) => {
        throw screenError(cause);
      });
    },
    commit: close,
    discard: close,
  };
}

/** A closed pipe is no failure; a full disk behind a redirection is. */
function screenError(cause: NodeJS.ErrnoException): Error {
  if (cause.code === 'EPIPE') return cause;
  const message = `the result could not be written (${cause.code})`;
  return new Failure(exitCodes.incomplete, message, {
    cause,
    hint: 'what was written is not whole',
  });
}

async function fileSink(path: string): Promise<Sink> {
  const failed = (cause: NodeJS.ErrnoException) => {
    throw cannotWrite(path, cause);
  };
  const { file, commit, discard } = await openReplacement(path).catch(failed);
  return {
    shown: false,
    write: (text) => file.writeFile(text).catch(failed),
    commit: () => commit().catch(failed),
    discard,
  };
}

/** A file of `--out` that can't be made or filled after all. */
function cannotWrite(path: string, cause: NodeJS.ErrnoException): Failure {
  const message = `--out ${path} can't be written (${cause.code})`;
  return new Failure(exitCodes.incomplete, message, {
    cause,
    hint: 'it is as it was before; a change that was asked for may be done',
  });
}
