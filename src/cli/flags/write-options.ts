/** The options of a write as its flags set them. */
import { realClock } from '../../client/clock.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import {
  defaultVerifyWait,
  type Verification,
  type WriteOptions,
} from '../../workflows/safe-write/safe-write.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import type { WriteFlags } from './flags.ts';
import type { OutputOptions } from './show-flags.ts';

/** What one command line writes: an operation, once for each of the IDs that were typed. */
export interface Writing {
  readonly cmd: CommandContext;
  readonly operation: Operation;
  readonly each: readonly Arguments[];
  readonly output: OutputOptions;
  readonly flags: WriteFlags;
}

export function writeOptions(cmd: CommandContext, flags: WriteFlags): WriteOptions {
  const verification = verificationFor(cmd, flags.verifyWait);
  return { ...verification, allowDuplicate: flags.allowDuplicate ?? false };
}

export function verificationFor(
  { context, messages }: CommandContext,
  typed: string | undefined,
): Verification {
  const wait = typed === undefined ? defaultVerifyWait : milliseconds(typed);
  return {
    wait,
    clock: context.clock ?? realClock,
    signal: context.signal,
    onSearch: () =>
      messages.tell(`The answer was lost. Looking for the write for up to ${wait / 1000} s.`),
  };
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

function milliseconds(typed: string): number {
  const [, number, unit = 's'] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s|m)?$/.exec(typed) ?? [];
  const found = Number(number) * (units[unit] ?? 1000);
  if (found <= 3_600_000) return found;
  throw usage(`Invalid --verify-wait '${typed}'. Use a time up to 60m, such as 30s or 2m.`);
}
