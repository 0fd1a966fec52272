/** `cb sandbox faults`: failures that the sandbox simulates. */
import { showValue } from '../../display/show.ts';
import { addShowFlags, readShowFlags } from '../../flags/show-flags.ts';
import type { HelpText } from '../../help/help-text.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { usage } from '../../runtime/failure.ts';
import { withSandbox } from '../../session/sandbox-session.ts';
import type { AddCommand, SandboxFlags } from './sandbox-command.ts';

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

export function addFaults(add: AddCommand): void {
  const description = 'Show or set the faults that the sandbox simulates';
  const command = add('faults', description, helpText, (cmd, flags, [list]) =>
    list === undefined ? showFaults(cmd, flags) : setFaults(cmd, list),
  ).argument('[list]', 'Faults to simulate, or off');
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
      ? 'The sandbox simulates no faults.'
      : `The sandbox simulates faults: ${faults}. Stop with cb sandbox faults off.`,
  );
}

/** Turns BadFaults into a usage failure that begins with `where`; returns any other error unchanged. */
export function asUsage(where: string, error: unknown, next = 'cb sandbox faults --help'): unknown {
  // Compares the name, so that the sandbox need not be loaded.
  if (!(error instanceof Error) || error.name !== 'BadFaults') return error;
  return usage(`Invalid ${where}: ${error.message}`, {
    next,
    cause: error,
  });
}
