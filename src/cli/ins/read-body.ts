/** Reads the notification that `cb ins decrypt` and `cb ins verify` are about. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type RequestText, readRequestText } from '../../ins/request-text.ts';
import { codeOf } from '../../storage/error-code.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { pathOf } from '../runtime/folders.ts';

/** From a file, or from stdin for `-`. Without a file, stdin is read unless it is a terminal. */
export async function readBody(
  cmd: CommandContext,
  file: string | undefined,
): Promise<RequestText> {
  const { stdin } = cmd.context;
  if (file !== undefined && file !== '-') return readRequestText(contentOf(cmd, file));
  if (file === undefined && stdin.isTTY) {
    throw usage('The notification is missing.', {
      hint: 'Name a file with the body of the request, or pass the body on stdin.',
    });
  }
  return readRequestText(await text(stdin));
}

function contentOf(cmd: CommandContext, file: string): string {
  const path = pathOf(cmd.context, file);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw usage(`Can't read ${path} (${codeOf(error) ?? 'unknown reason'}).`, {
      hint: 'Check the path.',
    });
  }
}
