/** How a write is sent and verified, from the options of its command; and which of them help with its plan. */
import { realClock } from '../../client/clock.ts';
import { durationText } from '../../dates/duration.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { defaultVerifyWait } from '../../safe-write/safe-write.ts';
import type { CommandContext } from '../context.ts';
import type { WriteFlags } from './flags.ts';
import type { OutputOptions } from './show-flags.ts';
import { durationFrom } from './values.ts';

/** The writes of one command line: an operation, once for each of the typed IDs. */
export interface Writing {
  readonly cmd: CommandContext;
  readonly operation: Operation;
  readonly each: readonly Arguments[];
  readonly output: OutputOptions;
  readonly flags: WriteFlags;
}

const limits = { bare: 's', most: 3_600_000, examples: '30s or 2m' } as const;

export function verificationFor({ context, messages }: CommandContext, typed: string | undefined) {
  const wait =
    typed === undefined ? defaultVerifyWait : durationFrom('--verify-wait', typed, limits);
  return {
    wait,
    clock: context.clock ?? realClock,
    signal: context.signal,
    onSearch: () =>
      messages.tell(
        `The response was unclear. Looking for the write for up to ${durationText(wait)}.`,
      ),
  };
}

/** By `PlannedWrite.codes`: safe writes know no options. */
const planHints: Readonly<Record<string, string>> = {
  'prorated-refund': 'Pass --no-apply-prorated-refund to prevent this refund.',
  'several-items': 'Pass --sku to name one of them.',
  return: 'Acknowledge it with cb tickets returned.',
};

export function hintsOn(codes: readonly string[]): string[] {
  return codes.flatMap((code) => planHints[code] ?? []);
}
