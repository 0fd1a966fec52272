/** How writes are verified: the flag, the clock, and the messages. */
import { type Command, Option } from 'commander';
import type { Arguments, Operation } from '../../operations/operation.ts';
import type { Verification, WriteOptions } from '../../workflows/safe-write/safe-write.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { helpGroups } from './flags.ts';
import type { OutputOptions } from './show-flags.ts';

/** As commander reads them. */
export interface WriteFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly allowRefund?: boolean;
  readonly allowDuplicate?: boolean;
  readonly verifyWait?: string;
}

/** What one command line writes: an operation, once for each of the IDs that were typed. */
export interface Writing {
  readonly cmd: CommandContext;
  readonly operation: Operation;
  readonly each: readonly Arguments[];
  readonly output: OutputOptions;
  readonly flags: WriteFlags;
}

export const verifiedNote = 'note: The response was lost, but the write was found: it is done.';

/** For commands that send one request, or the same one for several IDs. */
export function addWriteFlags(command: Command): void {
  command
    .optionsGroup(helpGroups.other)
    .option('-y, --yes', 'Send the request without asking for confirmation')
    .option('--dry-run', 'Read and check everything, print the request, and send nothing')
    .addOption(verifyWaitOption());
}

export function verifyWaitOption(): Option {
  return new Option(
    '--verify-wait <time>',
    'Longest time to look for a write whose answer was lost, as in 30s (default: 10s)',
  ).helpGroup(helpGroups.other);
}

export async function writeOptions(cmd: CommandContext, flags: WriteFlags): Promise<WriteOptions> {
  const verification = await verificationFor(cmd, flags.verifyWait);
  return { ...verification, allowDuplicate: flags.allowDuplicate ?? false };
}

export async function verificationFor(
  { context, messages }: CommandContext,
  typed: string | undefined,
): Promise<Verification> {
  const [{ realClock }, { defaultVerifyWait }] = await Promise.all([
    import('../../client/clock.ts'),
    import('../../workflows/safe-write/safe-write.ts'),
  ]);
  const wait = typed === undefined ? defaultVerifyWait : milliseconds(typed);
  const seconds = wait / 1000;
  return {
    wait,
    clock: context.clock ?? realClock,
    signal: context.signal,
    onSearch: () =>
      messages.tell(`The answer was lost. Looking for the write for up to ${seconds} s.`),
  };
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

function milliseconds(typed: string): number {
  const [, number, unit = 's'] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s|m)?$/.exec(typed) ?? [];
  const found = Number(number) * (units[unit] ?? 1000);
  if (found <= 3_600_000) return found;
  throw usage(`Invalid --verify-wait '${typed}'. Use a time up to 60m, such as 30s or 2m.`);
}
