/** `cb sandbox faults`: what the sandbox does wrong on demand. */
import { showValue } from '../../display/show.ts';
import { addShowFlags, readShowFlags } from '../../flags/show-flags.ts';
import type { HelpText } from '../../help/help-text.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { usage } from '../../runtime/failure.ts';
import { withSandbox } from '../../session/sandbox-session.ts';
import type { AddCommand, SandboxFlags } from './sandbox-command.ts';

const helpText: HelpText = {
  notes: [
    '<list> is like 503=10%,cut-after=#1,only=POST. Of the faults that end a request, the first in the list that fits takes place:',
    {
      '503=10%':
        'this status, 400 to 599, in place of an answer; 429=2%:7 adds Retry-After: 7. The service does nothing',
      'refuse=5%': 'the connection is reset, and nothing is done',
      'cut-before=10%': 'the connection is cut before anything is done',
      'cut-after=20%': 'all is done, and the answer is lost',
      'truncate=5%': 'the answer breaks off in its middle',
      'garbage=2%': 'the answer is neither JSON nor XML',
    },
    'How often: 10% of all requests; #3 the next three; 10/s those beyond ten a second, as in 403=10/s.',
    'These go with any of them:',
    {
      'latency=200ms': 'wait before anything is done; latency=50-300ms varies',
      'slow-body=1kb/s': 'the answer comes slowly',
      'analytics-status=YELLOW': 'the status of analytics in place of GREEN; also RED',
      'only=POST': 'only requests of this method meet faults; can be repeated',
      'seed=7': 'other chances; the same seed strikes the same requests',
    },
    'They are kept with the sandbox: all programs that use it meet them, until cb sandbox faults off, or cb sandbox reset.',
  ],
  examples: [
    'cb sandbox faults',
    "cb sandbox faults 'cut-after=#1,only=POST'",
    'cb sandbox faults latency=50-300ms,503=10%,403=10/s',
    'cb sandbox faults analytics-status=YELLOW',
    'cb sandbox faults off',
  ],
};

export function addFaults(add: AddCommand): void {
  const description = 'Show the faults of the sandbox, set them, or end them';
  const command = add('faults', description, helpText, (cmd, flags, [list]) =>
    list === undefined ? showFaults(cmd, flags) : setFaults(cmd, list),
  ).argument('[list]', 'The faults, or off');
  addShowFlags(command, {});
}

async function showFaults(cmd: CommandContext, flags: SandboxFlags): Promise<void> {
  const output = readShowFlags(cmd, flags);
  await withSandbox(cmd, (sandbox) => showValue(cmd, output, { ...sandbox.faults() }));
}

async function setFaults(cmd: CommandContext, list: string): Promise<void> {
  const faults = await withSandbox(cmd, async (sandbox) => {
    sandbox.setFaults(list === 'off' ? undefined : list);
    return sandbox.faults().faults;
  }).catch((error: unknown) => {
    throw asUsage('<list>', error);
  });
  cmd.messages.say(
    faults === null
      ? 'The sandbox has no faults.'
      : `The sandbox now has the faults ${faults}. To end them: cb sandbox faults off`,
  );
}

/** Turns BadFaults into a usage failure that begins with `where`; returns any other error unchanged. */
export function asUsage(where: string, error: unknown): unknown {
  // By name, so that the sandbox need not be loaded.
  if (!(error instanceof Error) || error.name !== 'BadFaults') return error;
  return usage(`Invalid ${where}: ${error.message}`, {
    next: 'cb sandbox faults --help',
    cause: error,
  });
}
