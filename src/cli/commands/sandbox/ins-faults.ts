/** `cb sandbox ins faults`: failures of notifications that the sandbox simulates. */
import { showValue } from '../../display/show.ts';
import { readShowFlags } from '../../flags/show-flags.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { withSandbox } from '../../session/sandbox-session.ts';
import { asUsage } from './faults.ts';
import type { SandboxFlags } from './sandbox-command.ts';

export function insFaults(
  cmd: CommandContext,
  flags: SandboxFlags,
  list: string | undefined,
): Promise<void> {
  return list === undefined ? showFaults(cmd, flags) : setFaults(cmd, list);
}

async function showFaults(cmd: CommandContext, flags: SandboxFlags): Promise<void> {
  const output = readShowFlags(cmd, flags);
  await withSandbox(cmd, ({ notifications }) =>
    showValue(cmd, output, { ...notifications.faults() }),
  );
}

async function setFaults(cmd: CommandContext, list: string): Promise<void> {
  const faults = await withSandbox(cmd, async ({ notifications }) => {
    notifications.setFaults(list === 'off' ? undefined : list);
    return notifications.faults().faults;
  }).catch((error: unknown) => {
    throw asUsage('<list>', error, 'cb sandbox ins faults --help');
  });
  cmd.messages.say(
    faults === null
      ? 'The sandbox simulates no faults of notifications.'
      : `The sandbox simulates faults of notifications: ${faults}. Stop with cb sandbox ins faults off.`,
  );
}
