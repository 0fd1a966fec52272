/** Shows long lists on a terminal in the pager of the user. */
import type { CommandContext } from '../command-context.ts';
import type { Pager } from '../context.ts';
import { settingOf } from '../session/settings.ts';
import { profilesOf } from '../session/stored-profiles.ts';

export type Print = (text: string | Uint8Array) => Promise<void>;

/** The user has left the pager before the end of the text. */
export class PagerLeft extends Error {
  readonly code = 'EPIPE';
}

/** Accepts text that is safe for the terminal. `end` resolves when the user has left the pager. */
export type PagedScreen = Pager;

/**
 * Holds text back until it is longer than the screen, and then starts the pager. Text that is shorter, or for which
 * there is no pager, goes to the screen. Rejects with PagerLeft when the user leaves the pager before the end.
 */
export function pagedScreen(cmd: CommandContext, print: Print): PagedScreen {
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
      lines += linesOf(text, columns);
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

/** Counts the lines on the screen; long lines take several. */
function linesOf(text: string, columns: number): number {
  const lines = text.split('\n').slice(0, -1);
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}

async function startPager(cmd: CommandContext): Promise<Pager | undefined> {
  const { context } = cmd;
  const command = pagerCommand(cmd);
  if (command === undefined || !context.stdin.isTTY || !(await isEnabled(cmd))) return undefined;
  return context.startPager?.(command);
}

/** Returns `$CB_PAGER`, otherwise `$PAGER`, otherwise less; undefined for none. */
function pagerCommand({ context: { env, platform }, flags }: CommandContext): string | undefined {
  if (flags.pager === false || env.TERM === 'dumb') return undefined;
  const command = env.CB_PAGER ?? env.PAGER ?? (platform === 'win32' ? 'more' : 'less');
  return ['', 'cat'].includes(command.trim()) ? undefined : command;
}

/** The setting `pager` of the profile in use. */
async function isEnabled(cmd: CommandContext): Promise<boolean> {
  const { context, flags } = cmd;
  if (flags.sandbox) return true;
  const profiles = await profilesOf(cmd);
  const name = flags.profile ?? context.env.CB_PROFILE ?? profiles.current() ?? '';
  return settingOf('pager', profiles.get(name)?.settings).value === 'on';
}
