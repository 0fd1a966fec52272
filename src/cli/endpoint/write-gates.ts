/** What keeps a single write from being sent, for the real command and its dry run alike. */
import type { Warning } from '../../workflows/safe-write/warnings.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure } from '../runtime/failure.ts';
import { hintsOn } from '../runtime/workflow-hints.ts';

const nothingSent = 'Nothing was sent.';

/** The service refuses to show what the write is about. */
export function refusedBy(warnings: readonly Warning[]): Failure | undefined {
  const refused = warnings.find(({ kind }) => kind === 'refused');
  return refused && new Failure(exitCodes.refused, `${refused.message}.`, { hint: nothingSent });
}

/** A warning that needs a flag of its own where no person confirms the write. */
export function missingFlag(
  warnings: readonly Warning[],
  { allowRefund = false }: { readonly allowRefund?: boolean },
): Failure | undefined {
  const warning = warnings.find(({ requires }) => requires === 'allow-refund');
  if (!warning || allowRefund) return undefined;
  return new Failure(exitCodes.declined, `${warning.message}.`, {
    hint: [nothingSent, ...hintsOn([warning.kind]), 'Pass --allow-refund to send it anyway.'].join(
      ' ',
    ),
  });
}

/** An equal ticket or ship notice exists; `match` says which, without a final period. */
export function alreadyThere(
  match: string | undefined,
  { allowDuplicate = false }: { readonly allowDuplicate?: boolean },
): Failure | undefined {
  if (match === undefined || allowDuplicate) return undefined;
  return new Failure(exitCodes.refused, `${match}.`, {
    hint: `${nothingSent} Pass --allow-duplicate to send it anyway.`,
  });
}
