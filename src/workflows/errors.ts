/** The errors of the workflows, by kind. They know no exit codes; `cli/runtime/failure.ts` maps them. */

/**
 * - `bad-input`: what was given can't be used; nothing was sent
 * - `not-found`: nothing matches what was searched for
 * - `declined`: the write was not confirmed; nothing was sent
 * - `existing-match`: an equal ticket or ship notice exists already; nothing was sent
 * - `not-done`: the write was not done; `cause` says why
 * - `unknown-outcome`: the write may be done; `cause` says what happened to its answer
 * - `not-saved`: a file that records what is done can't be written; a later run can continue
 */
export type WorkflowErrorKind =
  | 'bad-input'
  | 'not-found'
  | 'declined'
  | 'existing-match'
  | 'not-done'
  | 'unknown-outcome'
  | 'not-saved';

/** Tells errors of one kind apart where the user can do different things about them. */
export type WorkflowErrorCode =
  | 'existing-match'
  | 'linked-input'
  | 'linked-journal'
  | 'other-import'
  | 'damaged-journal'
  | 'unwritable-folder'
  | 'unwritable-journal'
  | 'not-resumable';

interface Details {
  readonly code?: WorkflowErrorCode;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** `message` is one line and never holds a key. */
export class WorkflowError extends Error {
  override readonly name = 'WorkflowError';
  readonly kind: WorkflowErrorKind;
  readonly code: WorkflowErrorCode | undefined;
  /** What to do about it, where that needs no words of a user interface. */
  readonly hint: string | undefined;

  constructor(kind: WorkflowErrorKind, message: string, { code, hint, cause }: Details = {}) {
    super(message, { cause });
    this.kind = kind;
    this.code = code;
    this.hint = hint;
  }
}

export function badInput(message: string, details: Details = {}): WorkflowError {
  return new WorkflowError('bad-input', message, details);
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
