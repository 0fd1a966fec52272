/**
 * stdout and stderr of the process. Node's own streams take as long to load as the help of a command to
 * make, so what is surely no terminal is written to without them, as long as nobody has to wait.
 */
import { fstatSync, statSync, writeSync } from 'node:fs';
import type { Screen } from './context.ts';

/**
 * A file, pipe or terminal by its number; `open` gives Node's stream to it. `onLost` is called where a text
 * can't be written that nobody waits for.
 */
export function openScreen(
  fd: number,
  open: () => NodeJS.WriteStream,
  onLost: (error: Error) => void = () => undefined,
): Screen {
  let opened: NodeJS.WriteStream | undefined;
  let known: number | undefined;
  const stream = () => {
    // A closed pipe is told to whoever writes; nobody else needs to know.
    opened ??= open().on('error', () => undefined);
    return opened;
  };
  const room = () => {
    known ??= roomOf(fd);
    return opened ? 0 : known;
  };
  return {
    get isTTY() {
      return room() === 0 && stream().isTTY;
    },
    get columns() {
      return room() === 0 ? stream().columns : undefined;
    },
    get isDiscarded() {
      return isNullDevice(fd);
    },
    write(text, told) {
      const done = told ?? ((error) => error && onLost(error));
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      if (bytes.length > room()) return stream().write(bytes, done);
      known = room() - bytes.length;
      const { left, error } = writeNow(fd, bytes);
      return left ? stream().write(left, done) : done(error);
    },
  };
}

/** Node opens the null device in place of a closed stdout. */
function isNullDevice(fd: number): boolean {
  try {
    const device = fstatSync(fd);
    return device.isCharacterDevice() && device.rdev === statSync('/dev/null').rdev;
  } catch {
    return false;
  }
}

/**
 * How many bytes it takes at once: a pipe as a rule these before its reader has come, while a request
 * under way must not wait for a slow one. None where nothing is known.
 */
function roomOf(fd: number): number {
  try {
    const stats = fstatSync(fd);
    if (stats.isFile()) return Number.POSITIVE_INFINITY;
    return stats.isFIFO() || stats.isSocket() ? 64 * 1024 : 0;
  } catch {
    return 0;
  }
}

/** What is left is for the stream, which can wait. */
function writeNow(fd: number, bytes: Uint8Array): { left?: Uint8Array; error?: Error } {
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(fd, bytes, at);
    return {};
  } catch (error) {
    const isBusy = (error as NodeJS.ErrnoException).code === 'EAGAIN';
    return isBusy ? { left: bytes.subarray(at) } : { error: error as Error };
  }
}
