/** Shows long text on a terminal in the pager of the user. */
import type { CommandContext, Pager } from '../context.ts';
import { type Content, type Print, type Sink, writeTo } from '../display/sink.ts';
import { settingOf } from '../session/settings.ts';
import { profileInUse, settingsOf } from '../session/stored-profiles.ts';

/** The user has left the pager before the end of the text. */
class PagerLeft extends Error {
  readonly code = 'EPIPE';
}

/** Writes to `out`, on a terminal through the pager. Resolves to false if the user leaves the pager before the end. */
export async function writePaged(
  cmd: CommandContext,
  out: string | undefined,
  fill: (sink: Sink) => Promise<void>,
  content?: Content,
): Promise<boolean> {
  const paged = cmd.context.startPager && ((print: Print) => pagedScreen(cmd, print));
  try {
    await writeTo(cmd.context, out, fill, content, paged);
    return true;
  } catch (error) {
    if (error instanceof PagerLeft) return false;
    throw error;
  }
}

/**
 * Holds text back until it is longer than the screen, and then starts the pager. Text that is shorter, or for which
 * there is no pager, goes to the screen. Rejects with PagerLeft when the user leaves the pager before the end.
 */
function pagedScreen(cmd: CommandContext, print: Print): Pager {
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
  if (!(await isPagerOn(cmd))) return undefined;
  return context.startPager?.(command);
}

/** Help needs no configuration, so a faulty one is no error here. */
async function isPagerOn(cmd: CommandContext): Promise<boolean> {
  try {
    const settings = await settingsOf(cmd, await profileInUse(cmd));
    return settingOf('pager', settings).value === 'on';
  } catch {
    return true;
  }
}
