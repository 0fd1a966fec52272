/** Reports an error that nothing in cb caught. */
import { plain } from '../../output/table/terminal-text.ts';
import { readArgv } from './argv.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';
import { failureJson, failureText } from './messages.ts';

/**
 * Names the class of the error, and with --debug its stack. Never its message, which may quote what was sent or
 * stored, such as a key.
 */
export function faultText(error: unknown, argv: readonly string[]): string {
  const { name = 'unknown', stack = '' } = error instanceof Error ? error : {};
  const failure = new Failure(
    exitCodes.internal,
    `cb stopped because of an internal error (${name}).`,
    {
      hint: 'This is an error in cb itself. Please report it with the output of --debug.',
    },
  );
  const { json, debug } = readArgv(argv);
  const line = json ? failureJson(failure) : failureText(failure);
  if (!debug) return line;
  const places = stack.split('\n').filter((text) => /^ +at .+:\d+:\d+\)?$/.test(text));
  return [line, ...places.map(plain)].join('\n');
}
