/** The key of a profile from a command, such as that of a password manager. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { isatty } from 'node:tty';
import { ApiError } from '../client/errors.ts';
import { shownCode } from '../storage/files.ts';

/** In milliseconds. */
const longest = 10_000;

/**
 * Runs a command without a shell and returns the line that it prints. The command may ask on the terminal. Its output never
 * appears in a message. Throws an ApiError `key`.
 */
export async function keyFrom(
  [file = '', ...args]: readonly string[],
  timeout = longest,
): Promise<string> {
  // What else comes on stdin is for cb, such as the messages of an agent.
  const stdin = isatty(0) ? 'inherit' : 'ignore';
  const child = spawn(file, args, { stdio: [stdin, 'pipe', 'inherit'] });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill();
    // A process that the command left behind may keep it open.
    child.stdout.destroy();
  }, timeout);
  const ended: Promise<string | undefined> = once(child, 'close').then(
    ([code, signal]) => {
      if (isLate) return `it did not end within ${timeout / 1000} s`;
      if (signal !== null) return `it was stopped by ${signal}`;
      return code === 0 ? undefined : `it ended with exit code ${code}`;
    },
    (error) => `it can't be started (${shownCode(error)})`,
  );
  const [printed, problem] = await Promise.all([text(child.stdout).catch(() => ''), ended]);
  clearTimeout(timer);
  const key = printed.trim();
  const why = problem ?? (/^[\x21-\x7e]+$/.test(key) ? undefined : 'it did not print a key alone');
  if (why === undefined) return key;
  throw new ApiError('key', `The key command ${file} failed: ${why}.`, {
    hint: 'Run the command yourself to see what it prints.',
  });
}
