/** Where a result goes: stdout, or a file that appears under its name only when it is whole. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Context, Screen } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';

export interface Sink {
  /** Resolves when the text is taken, so that a slow reader slows the writer. */
  write(text: string): Promise<void>;
  /** The result is whole. */
  commit(): Promise<void>;
  /** The result broke off: a file is left as it was before. */
  discard(): Promise<void>;
  /** Something was written that can't be taken back. */
  readonly shown: boolean;
}

/** Runs `fill` with the sink that `out` names; `-` and nothing are stdout. */
export async function writeTo(
  context: Context,
  out: string | undefined,
  fill: (sink: Sink) => Promise<void>,
): Promise<void> {
  const path = fileOf(out);
  const sink =
    path === undefined ? screenSink(context.stdout) : await fileSink(resolve(context.folder, path));
  await fillSink(sink, fill);
}

/** The file that `--out` names; undefined is stdout. */
export function fileOf(out: string | undefined): string | undefined {
  return out === '-' ? undefined : out;
}

/** Fills a sink to its end, or discards it. */
export async function fillSink(sink: Sink, fill: (sink: Sink) => Promise<void>): Promise<void> {
  try {
    await fill(sink);
  } catch (error) {
    await sink.discard();
    throw error;
  }
  await sink.commit();
}

function screenSink(screen: Screen): Sink {
  const nothing = async () => undefined;
  let shown = false;
  return {
    get shown() {
      return shown;
    },
    write: (text) =>
      new Promise((done, fail) => {
        shown = true;
        screen.write(text, (error) => (error ? fail(screenError(error)) : done()));
      }),
    commit: nothing,
    discard: nothing,
  };
}

/** A reader that has gone is no failure; a full disk behind a redirection is. */
function screenError(cause: NodeJS.ErrnoException): Error {
  if (cause.code === 'EPIPE') return cause;
  const message = `the result could not be written (${cause.code})`;
  return new Failure(exitCodes.incomplete, message, {
    cause,
    hint: 'what was written is not whole',
  });
}

async function fileSink(path: string): Promise<Sink> {
  const part = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.part`);
  const file = await open(part, 'wx').catch((cause: NodeJS.ErrnoException) => {
    throw cannotWrite(path, cause);
  });
  const close = () => file.close().catch(() => undefined);
  return {
    shown: false,
    async write(text) {
      await file.writeFile(text).catch((cause: NodeJS.ErrnoException) => {
        throw cannotWrite(path, cause);
      });
    },
    async commit() {
      await file.sync();
      await close();
      await rename(part, path).catch(async (cause: NodeJS.ErrnoException) => {
        await rm(part, { force: true });
        throw cannotWrite(path, cause);
      });
    },
    async discard() {
      await close();
      await rm(part, { force: true });
    },
  };
}

/** A file of `--out` that can't be made or filled. */
export function cannotWrite(path: string, cause: NodeJS.ErrnoException): Failure {
  return new Failure(exitCodes.usage, `--out ${path} can't be written (${cause.code})`, { cause });
}
