/** Where a result goes: stdout, or a file that is replaced only when the new content is complete. */
import { accessSync, constants, lstatSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { visible, visibleDrawing } from '../../output/table/terminal-text.ts';
import { openReplacement } from '../../storage/atomic-file.ts';
import { shownCode, systemReasons } from '../../storage/files.ts';
import type { Context, Pager, Screen } from '../context.ts';
import { exitCodes, Failure, usage } from '../failure.ts';
import { pathOf } from '../folders.ts';

export type Print = (text: string | Uint8Array) => Promise<void>;

export interface Sink {
  /** Resolves when the text has been passed on, so that a slow reader slows the writer down. */
  write(text: string | Uint8Array): Promise<void>;
  commit(): Promise<void>;
  /** After an error: a file keeps its old content. */
  discard(): Promise<void>;
  /** Text was written that can't be taken back. */
  readonly shown: boolean;
}

/** A `drawing` can have colors; `data` is written unchanged, except on a terminal. */
export type Content = 'data' | 'drawing';

/** The sink is what `out` names; stdout if it is absent or `-`, possibly through a pager. */
export async function writeTo(
  context: Context,
  out: string | undefined,
  fill: (sink: Sink) => Promise<void>,
  content: Content = 'data',
  page?: (print: Print) => Pager,
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

/** A stream is a named pipe or a device: cb writes to it and never replaces it. */
export type Place =
  | { readonly kind: 'screen' }
  | { readonly kind: 'file' | 'stream'; readonly path: string };

/** What `--out` names. Throws a usage failure if it can't be written: to be called before anything is sent. */
export function placeOf(context: Context, out: string | undefined, flag = '--out'): Place {
  const name = fileOf(out);
  if (name === undefined) return { kind: 'screen' };
  const path = pathOf(context, name);
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    const kind = stats && !stats.isFile() ? 'stream' : 'file';
    const link = stats && lstatSync(path);
    // If the user owns the link, its target is written; a link of another user is replaced.
    const isOwn = context.user === undefined || link?.uid === context.user;
    const target = link?.isSymbolicLink() && isOwn ? realpathSync(path) : path;
    accessSync(kind === 'stream' ? path : `${dirname(target)}/`, constants.W_OK);
    return { kind, path: target };
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'the folder does not exist' : systemReasons[code];
    throw usage(`${flag} ${path} can't be written${why ? `: ${why}` : ` (${code})`}.`, { cause });
  }
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

/** All output to stdout passes through here: on a terminal, escape sequences are made visible. */
function screenSink(screen: Screen, content: Content, page?: (print: Print) => Pager): Sink {
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
      await write(text).catch((cause: NodeJS.ErrnoException) => {
        // A closed pipe is not a failure; a full disk is.
        if (cause.code === 'EPIPE') throw cause;
        const message = `The result could not be written (${shownCode(cause)}).`;
        const hint = 'The output is incomplete.';
        throw new Failure(exitCodes.incomplete, message, { cause, hint });
      });
    },
    commit: close,
    discard: close,
  };
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

function cannotWrite(path: string, cause: NodeJS.ErrnoException): Failure {
  const message = `--out ${path} can't be written (${shownCode(cause)}).`;
  return new Failure(exitCodes.incomplete, message, {
    cause,
    hint: 'The file is unchanged. If the command writes to ClickBank, check whether the write was done.',
  });
}
