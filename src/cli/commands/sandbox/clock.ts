/** `cb sandbox clock`: shows the time in the sandbox, or advances it. */
import { showText } from '../../display/show.ts';
import { durationFrom } from '../../flags/durations.ts';
import type { HelpText } from '../../help/help-text.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { usage } from '../../runtime/failure.ts';
import { type Sandbox, withSandbox } from '../../session/sandbox-session.ts';
import { type AddCommand, asText } from './sandbox-command.ts';

export function addClock(add: AddCommand): void {
  const description = 'Show or advance the sandbox clock';
  const help: HelpText = {
    notes: [
      'Sales, rebills, refunds and chargebacks appear as the clock advances. The clock also follows real time: a sandbox from yesterday has new orders today. The result depends only on the random seed and the date. Ctrl-C stops after a whole day.',
    ],
    effect: 'writes',
    examples: ['cb sandbox clock', 'cb sandbox clock advance 30d'],
  };
  add('clock', description, help, (cmd, _flags, [action, time = '']) => {
    if (action !== undefined && action !== 'advance') {
      throw usage(`Unknown action '${action}'. The clock can only advance.`, {
        next: 'cb sandbox clock advance 1d',
      });
    }
    return clock(cmd, action === undefined ? 0 : secondsFrom(time));
  })
    .argument('[advance]', 'The word advance')
    .argument('[time]', 'Time to advance by, such as 12h, 30d or 2w');
}

const secondsInDay = 86_400;

const limits = { most: 70_000 * secondsInDay * 1000, examples: '12h, 30d or 2w' };

/** Whole seconds of a time such as 30d. */
function secondsFrom(time: string): number {
  return Math.floor(durationFrom('<time>', time, limits) / 1000);
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
