/** The errors of safe writes and of the rules of features, by kind. `shell/failure.ts` maps them to exit codes. */

/**
 * - `bad-input`: the input is invalid; nothing was sent
 * - `other-account`: the state on the disk belongs to another account; nothing was sent or written
 * - `not-found`: nothing matches the search
 * - `declined`: the write was not confirmed; nothing was sent
 * - `existing-match`: an equal ticket or ship notice already exists; nothing was sent
 * - `not-done`: the write was not done; `cause` says why
 * - `unknown-outcome`: the write may be done; `cause` says what happened to its response
 * - `not-saved`: a file that records progress can't be written; a later run can continue
 */
export type WorkflowErrorKind =
  | 'bad-input'
  | 'other-account'
  | 'not-found'
  | 'declined'
  | 'existing-match'
  | 'not-done'
  | 'unknown-outcome'
  | 'not-saved';

type Details = Partial<Pick<WorkflowError, 'hint' | 'cause'>>;

/** `message` is one line and never contains a key. */
export class WorkflowError extends Error {
  override readonly name = 'WorkflowError';
  readonly kind: WorkflowErrorKind;
  readonly hint: string | undefined;

  constructor(kind: WorkflowErrorKind, message: string, { hint, cause }: Details = {}) {
    super(message, { cause });
    this.kind = kind;
    this.hint = hint;
  }
}

export function badInput(message: string, details: Details = {}): WorkflowError {
  return new WorkflowError('bad-input', message, details);
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
