/** Safe writes with their outcome as a value, and their errors as the one class of the library. */
import { type Client, requireValidArguments } from '../client/client.ts';
import type { Clock } from '../client/clock.ts';
import { ApiError, type ErrorCode, type ErrorKind } from '../client/errors.ts';
import { WorkflowError, type WorkflowErrorKind } from '../client/workflow-error.ts';
import type { Arguments, Operation } from '../operations/operation.ts';
import { safeWrite } from '../safe-write/safe-write.ts';
import { definedIn, requireSafeWriteOptions } from './options.ts';
import type { SafeWriteOptions, SafeWriteResult, WritePlan } from './types.ts';

/** Throws only what `confirm` throws. */
export async function writeSafely(
  { client, clock }: { readonly client: Client; readonly clock: Clock },
  operation: Operation,
  args: Arguments,
  given: SafeWriteOptions,
): Promise<SafeWriteResult<unknown>> {
  const { confirm, ...options } = given;
  let plan: WritePlan | undefined;
  const isConfirmed = (planned: WritePlan) => {
    plan = planned;
    return confirm ? confirm(planned) : planned.warnings.length === 0;
  };
  try {
    requireSafeWriteOptions(given);
    requireValidArguments(operation, args, clock);
    const checked = { ...definedIn(options), confirm: isConfirmed };
    const { reply, how } = await safeWrite(client, operation, args, checked);
    return { state: 'done', reply, verified: how === 'verified', plan: plan as WritePlan };
  } catch (thrown) {
    const isDeclined = thrown instanceof WorkflowError && thrown.kind === 'declined';
    const error =
      isDeclined && plan ? notConfirmed(plan, confirm !== undefined) : apiErrorOf(thrown);
    const state = error.code === 'unknown-outcome' ? 'unknown' : 'not-done';
    return { state, error, plan };
  }
}

/** A plan that the service refused is its refusal, whoever said no. */
function notConfirmed({ warnings }: WritePlan, isAsked: boolean): ApiError {
  const refused = warnings.filter(({ kind }) => kind === 'refused');
  const [refusal] = refused;
  const message = (refusal ? refused : warnings).map((one) => `${one.message}.`).join(' ');
  const nothing = 'Nothing was sent.';
  if (refusal) {
    const { status } = refusal;
    return new ApiError('refused', message, { hint: nothing, ...(status && { status }) });
  }
  const hint = isAsked ? nothing : `${nothing} Pass \`confirm\` to decide about the warnings.`;
  return new ApiError('declined', isAsked ? 'The write was not confirmed.' : message, { hint });
}

interface Translation {
  readonly kind: ErrorKind;
  readonly code?: ErrorCode;
  readonly hint?: string;
}

const translations: Partial<Record<WorkflowErrorKind, Translation>> = {
  'existing-match': {
    kind: 'refused',
    code: 'existing-match',
    hint: 'Nothing was sent. Pass `allowDuplicate: true` to send it anyway.',
  },
  'unknown-outcome': { kind: 'incomplete', code: 'unknown-outcome' },
};

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof WorkflowError)) throw error;
  const { message, cause, hint } = error;
  if (error.kind === 'not-done' && cause instanceof ApiError) return cause;
  const { kind, ...details } = translations[error.kind] ?? { kind: 'failed' };
  const maybeDone = error.kind === 'unknown-outcome';
  return new ApiError(kind, message, {
    ...(hint !== undefined && { hint }),
    ...details,
    cause,
    maybeDone,
  });
}
