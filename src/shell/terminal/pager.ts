/** Shows long lists on a terminal in the pager of the user. */
import type { CommandContext } from '../command-context.ts';
import type { Pager } from '../context.ts';
import { settingOf } from '../session/settings.ts';
import { profileInUse, settingsOf } from '../session/stored-profiles.ts';

export type Print = (text: string | Uint8Array) => Promise<void>;

/** The user has left the pager before the end of the text. */
export class PagerLeft extends Error {
  readonly code = 'EPIPE';
}

/**
 * Holds text back until it is longer than the screen, and then starts the pager. Text that is shorter, or for which
 * there is no pager, goes to the screen. Rejects with PagerLeft when the user leaves the pager before the end.
 */
export function pagedScreen(cmd: CommandContext, print: Print): Pager {
  const { rows = 24, columns = 80 } = cmd.context.stdout;
  let held: string | undefined = '';
  let lines = 0;
  let pager: Pager | undefined;
  const write = async (text: string) => {
    if (!pager) return print(text);
    await pager.write(text).catch((cause) => {
      throw new PagerLeft('the pager has ended', { cause });
    });
  };
  const release = async () => {
    const text = held ?? '';
    held = undefined;
    if (text !== '') await write(text);
  };
  return {
    async write(text) {
      if (held === undefined) return write(text);
      held += text;
      // Long lines take several on the screen.
      for (const line of text.split('\n').slice(0, -1)) {
        lines += Math.max(1, Math.ceil(line.length / columns));
      }
      if (lines < rows) return;
      pager = await startPager(cmd);
      await release();
    },
    async end() {
      await release();
      await pager?.end();
    },
  };
}

/** The pager is `$CB_PAGER`, otherwise `$PAGER`, otherwise less, unless an option or the profile in use says none. */
async function startPager(cmd: CommandContext): Promise<Pager | undefined> {
  const { context, flags } = cmd;
  const { env, platform } = context;
  const command = env.CB_PAGER ?? env.PAGER ?? (platform === 'win32' ? 'more' : 'less');
  const isNone =
    flags.pager === false || env.TERM === 'dumb' || ['', 'cat'].includes(command.trim());
  if (isNone || !context.stdin.isTTY) return undefined;
  const settings = await settingsOf(cmd, await profileInUse(cmd));
  if (settingOf('pager', settings).value !== 'on') return undefined;
  return context.startPager?.(command);
}
