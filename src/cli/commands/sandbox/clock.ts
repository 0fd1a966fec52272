/** `cb sandbox clock`: shows the time in the sandbox, or advances it. */
import { showText } from '../../display/show.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { usage } from '../../runtime/failure.ts';
import { type Sandbox, withSandbox } from '../../session/sandbox-session.ts';
import { type AddCommand, asText } from './sandbox-command.ts';

export function addClock(add: AddCommand): void {
  const description =
    'Show the clock of the sandbox, or advance it: sales, rebills and refunds happen';
  const help = {
    notes: [
      'Time that passes by itself counts as well: a sandbox from yesterday has new orders today. What happens depends on the random seed and the date only, not on the steps. Ctrl-C stops after a whole day.',
    ],
    examples: ['cb sandbox clock', 'cb sandbox clock advance 30d'],
  };
  add('clock', description, help, (cmd, _flags, [action, time = '']) => {
    if (action !== undefined && action !== 'advance') {
      throw usage(`Unknown action '${action}'. The clock can only advance.`, {
        next: 'cb sandbox clock advance 1d',
      });
    }
    return clock(cmd, action === undefined ? 0 : durationOf(time));
  })
    .argument('[advance]', 'advance')
    .argument('[time]', 'Time to advance by: 12h, 30d, 2w');
}

const secondsInDay = 86_400;

const secondsIn: Readonly<Record<string, number>> = {
  h: 3600,
  d: secondsInDay,
  w: 7 * secondsInDay,
};

/** Seconds of a time like 30d. */
function durationOf(time: string): number {
  const match = /^(\d{1,4})([hdw])$/.exec(time);
  if (!match) throw usage(`Invalid <time> '${time}'. Use a time such as 12h, 30d or 2w.`);
  return Number(match[1]) * (secondsIn[match[2] ?? ''] ?? 0);
}

function clock(cmd: CommandContext, ahead: number): Promise<void> {
  return withSandbox(cmd, async (sandbox) => {
    const now = ahead > 0 ? await advance(cmd, sandbox, ahead) : sandbox.now();
    if (!cmd.context.signal.aborted) await showText(cmd, asText, now.toISOString());
  });
}

/** Ctrl-C stops it after the current day. */
async function advance(
  { context, messages }: CommandContext,
  sandbox: Sandbox,
  seconds: number,
): Promise<Date> {
  let percent = 0;
  let done = 0;
  const onStep = (doneNow: number) => {
    done = doneNow;
    const next = Math.floor((100 * done) / seconds);
    if (next === percent) return;
    percent = next;
    messages.status(`Advancing the clock: ${percent}%, ${sandbox.now().toISOString()}`);
  };
  const now = await sandbox.advance(seconds, { signal: context.signal, onStep });
  messages.status('');
  if (done < seconds) {
    const days = Math.floor(done / secondsInDay);
    messages.say(
      `Stopped after ${days} of ${Math.ceil(seconds / secondsInDay)} days. The sandbox clock is at ${now.toISOString()}.`,
    );
  }
  return now;
}
