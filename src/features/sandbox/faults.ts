/** `cb sandbox faults` and `cb sandbox ins faults`: failures that the sandbox simulates. */
import type { Value } from '../../output/rows/rows.ts';
import { command } from '../../shell/define.ts';
import { usage } from '../../shell/failure.ts';
import type { HelpText } from '../../shell/help/help-text.ts';
import { type Sandbox, withSandbox } from '../../shell/session/sandbox-session.ts';

const helpText: HelpText = {
  notes: [
    '<list> is a comma-separated list, such as 503=10%,only=POST. If several faults apply to a request, the first one is used:',
    {
      '503=10%': 'return this status (400 to 599); 429=2%:7 adds Retry-After: 7',
      'refuse=5%': 'reset the connection',
      'cut-before=10%': 'close the connection before the request is handled',
      'cut-after=20%': 'handle the request, then close the connection',
      'truncate=5%': 'cut the response in the middle',
      'garbage=2%': 'return neither JSON nor XML',
      'latency=200ms': 'delay each request; latency=50-300ms varies',
      'slow-body=1kb/s': 'limit the speed of responses',
      'analytics-status=RED': 'status of analytics: YELLOW or RED',
      'null-row=on': 'list test fees without their values, as a row of nulls',
      'only=POST': 'apply faults to this method only; repeatable',
      'seed=7': 'random seed; the same seed affects the same requests',
    },
    'Frequency: 10% of requests; #3 for the next three; 10/s for those above ten per second.',
    'Faults are stored with the sandbox and apply to every program that uses it, until cb sandbox faults off or cb sandbox reset.',
  ],
  effect: 'writes',
  examples: [
    'cb sandbox faults',
    'cb sandbox faults latency=50-300ms,503=10%,403=10/s',
    'cb sandbox faults off',
    "cb sandbox faults 'cut-after=#1,only=POST'",
    'cb sandbox faults analytics-status=YELLOW',
  ],
};

const insHelp: HelpText = {
  notes: [
    '<list> is a comma-separated list, such as duplicate=10%,only=RFND:',
    {
      'duplicate=10%': 'send it twice',
      'reorder=10%': 'send it after a later one',
      'delay=10%:2h': 'send it later on the sandbox clock (default: 1h)',
      'cut=10%': 'close the connection in the middle of the request',
      'timeout=10%': 'ignore the answer, as if it took more than 3 seconds',
      'wrong-key=10%': 'encrypt it with another secret key',
      'drop=10%': 'never send it: it is lost',
      'only=RFND': 'apply faults to this type only; repeatable',
      'seed=7': 'random seed; the same seed affects the same notifications',
    },
    'Frequency: 10% of attempts, or #3 for the next three. Faults are stored with the sandbox, until cb sandbox ins faults off or cb sandbox reset.',
  ],
  effect: 'writes',
  examples: [
    'cb sandbox ins faults',
    'cb sandbox ins faults duplicate=20%,timeout=#1',
    'cb sandbox ins faults off',
  ],
};

function faultCommand(
  words: string,
  summary: string,
  help: HelpText,
  what: string,
  holderIn: (sandbox: Sandbox) => Sandbox | Sandbox['notifications'],
) {
  return command({
    words,
    summary,
    args: { '[list]': 'Faults to simulate, or off' },
    value: true,
    help,
    async run(cmd, { list }) {
      const found = await withSandbox(cmd, async (sandbox) => {
        const holder = holderIn(sandbox);
        if (list !== undefined) holder.setFaults(list === 'off' ? undefined : list);
        return holder.faults();
      }).catch((error: unknown) => {
        throw asUsage('<list>', error, `cb ${words} --help`);
      });
      if (list === undefined) return { ...found } as Value;
      cmd.messages.say(
        found.faults === null
          ? `The sandbox simulates no ${what}.`
          : `The sandbox simulates ${what}: ${found.faults}. Stop with cb ${words} off.`,
      );
      return undefined;
    },
  });
}

export const faults = faultCommand(
  'sandbox faults',
  'Show or set the faults that the sandbox simulates',
  helpText,
  'faults',
  (sandbox) => sandbox,
);

export const insFaults = faultCommand(
  'sandbox ins faults',
  'Show or set the faults of notifications',
  insHelp,
  'faults of notifications',
  ({ notifications }) => notifications,
);

/** Turns BadFaults into a usage failure that begins with `where`; returns any other error unchanged. */
export function asUsage(where: string, error: unknown, next = 'cb sandbox faults --help'): unknown {
  // Compares the name, so that the sandbox need not be loaded.
  if (!(error instanceof Error) || error.name !== 'BadFaults') return error;
  return usage(`Invalid ${where}: ${error.message}`, { next, cause: error });
}
