/** Failures of commands and their exit codes, on which scripts rely. */
import { ApiError, type ErrorKind } from '../client/errors.ts';
import { OutputError, UnknownField } from '../output/errors.ts';
import { shownCode } from '../storage/files.ts';
import { LockError } from '../storage/lock.ts';
import { mostAlike, nearest } from './options/nearest.ts';

export const exitCodes = {
  ok: 0,
  internal: 1,
  usage: 2,
  key: 3,
  refused: 4,
  failed: 5,
  network: 6,
  rateLimit: 7,
  incomplete: 8,
  no: 9,
  declined: 10,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The signal's reason is the exit code: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP. */
export function codeOfSignal({ reason }: AbortSignal): ExitCode {
  return typeof reason === 'number' ? (reason as ExitCode) : exitCodes.interrupted;
}

export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'success',
  1: 'internal error in cb; please report it',
  2: 'invalid command line; nothing was changed',
  3: 'no API key, an unknown key, or an invalid configuration',
  4: 'ClickBank refused: not found, not permitted, or against its rules',
  5: 'ClickBank failed, or its response could not be read',
  6: 'network error: no connection, invalid certificate, or timeout',
  7: 'rate limit exceeded for longer than --max-wait',
  8: 'incomplete: some of the work is done; stderr says what is missing',
  9: 'the answer is no (orders active), or a limit is reached (check)',
  10: 'declined, or --yes or --allow-refund is missing outside a terminal',
  129: 'terminal closed',
  130: 'interrupted (Ctrl-C)',
  143: 'terminated',
};

type Details = Partial<Pick<Failure, 'hint' | 'status' | 'next' | 'cause'>>;

/** Ends a command with a message for the user. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: ExitCode;
  readonly hint: string | undefined;
  /** HTTP status, if the service responded. */
  readonly status: number | undefined;
  /** A command line to run next. */
  readonly next: string | undefined;

  constructor(code: ExitCode, message: string, { hint, status, next, cause }: Details = {}) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
    this.status = status;
    this.next = next;
  }
}

/** Creates the failure for an invalid command line; nothing was sent. */
export function usage(message: string, details: Details = {}): Failure {
  return new Failure(exitCodes.usage, message, details);
}

const codeOfKind: Readonly<Record<ErrorKind, ExitCode>> = {
  request: exitCodes.usage,
  key: exitCodes.key,
  refused: exitCodes.refused,
  'rate-limit': exitCodes.rateLimit,
  failed: exitCodes.failed,
  network: exitCodes.network,
  incomplete: exitCodes.incomplete,
  declined: exitCodes.declined,
  cancelled: exitCodes.interrupted,
};

/** Converts anything thrown to a Failure. Errors of modules that may not be loaded are recognized by name. */
export function failureFrom(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof Error)) return new Failure(exitCodes.internal, String(error));
  if (error instanceof ApiError) {
    const { kind, code, hint, status } = error;
    const hints = [hint, additions[code ?? '']].filter((one) => one !== undefined);
    const details = { hint: hints.join(' ') || undefined, status, cause: error };
    return new Failure(codeOfKind[kind], error.message, details);
  }
  const { kind, hint } = error as { kind?: string; hint?: string };
  if (error.name === 'WorkflowError' && kind) return fromWorkflow(error, kind, hint);
  if (error.name === 'DestinationError') {
    const isLater = kind === 'busy' || kind === 'full' || kind === 'lost';
    const code = isLater ? exitCodes.incomplete : exitCodes.key;
    const step = kind === 'missing' ? { next: 'cb sync' } : { hint };
    return new Failure(code, error.message, { ...step, cause: error });
  }
  if (error instanceof LockError) {
    const { usage, key, incomplete } = exitCodes;
    const codes = { held: usage, linked: usage, unclear: key, lost: incomplete, unusable: key };
    return new Failure(codes[error.problem], error.message, { hint, cause: error });
  }
  if (error.name === 'LedgerError') return fromLedger(error);
  if (error.name === 'QueryError') return usage(error.message, { hint, cause: error });
  if (error instanceof UnknownField) return unknownField(error);
  if (error instanceof OutputError) {
    return new Failure(exitCodes[error.kind], error.message, { hint, cause: error });
  }
  if (error.name === 'ExitPromptError') {
    return new Failure(exitCodes.interrupted, 'Interrupted. Nothing was sent.', { cause: error });
  }
  const { path, syscall } = error as NodeJS.ErrnoException;
  if (path !== undefined && syscall !== undefined) {
    return new Failure(exitCodes.key, `Cannot use ${path} (${syscall}: ${shownCode(error)}).`, {
      hint: 'To check the folders that cb uses, run `cb doctor`.',
      cause: error,
    });
  }
  return new Failure(exitCodes.internal, error.message, {
    hint: 'This is an error in cb itself. Please report it with the output of --debug.',
    cause: error,
  });
}

const fieldWords = new Map(
  Object.entries({ date: 'time', day: 'time', customer: 'name', price: 'amount', total: 'amount' }),
);

/** Nothing was printed yet. A field of the row itself is more likely meant than one inside a list. */
function unknownField(error: UnknownField): Failure {
  const { field, known } = error;
  const words = [field, fieldWords.get(field.toLowerCase()) ?? field];
  const own = known.filter((path) => !path.includes('.'));
  const tries = [own, known].flatMap((paths) => words.map((word) => nearest(word, paths)));
  const near = tries.find((path) => path !== undefined);
  const alike = mostAlike(field, known, 3).join(', ');
  const others = `${alike && `Similar names: ${alike}. `}Use -o json to see all fields.`;
  const hint = near ? `Did you mean ${near}?` : others;
  return usage(error.message, { hint, cause: error });
}

const codeOfWorkflowKind: Readonly<Record<string, ExitCode>> = {
  'bad-input': exitCodes.usage,
  'other-account': exitCodes.key,
  'not-found': exitCodes.refused,
  declined: exitCodes.declined,
  'existing-match': exitCodes.refused,
  'unknown-outcome': exitCodes.incomplete,
  'not-saved': exitCodes.incomplete,
};

/** Why a ledger can't be used, before anything was sent. */
function fromLedger(error: Error): Failure {
  const { problem, path } = error as unknown as { problem: string; path: string };
  const isJournal = error.message.startsWith('The journal');
  const steps: Readonly<Record<string, string>> = isJournal
    ? {
        old: 'Check which rows are done. Then continue with the version of cb that wrote it, or import only the other rows with --restart.',
        damaged: 'Move it away, or start over with --restart.',
        unwritable: 'Name another file with --journal.',
      }
    : { unwritable: 'Set XDG_DATA_HOME to another folder.' };
  const step = steps[problem] ?? `Check what ${path} has recorded, and move it away.`;
  const isForm = problem === 'old' || problem === 'damaged';
  const code = isForm ? exitCodes.usage : exitCodes.key;
  return new Failure(code, error.message, { hint: `Nothing was sent. ${step}`, cause: error });
}

const allowDuplicate = 'Nothing was sent. Pass --allow-duplicate to send it anyway.';

/** A write that is not done keeps the exit code of its cause. */
function fromWorkflow(error: Error, kind: string, hint: string | undefined): Failure {
  const { message, cause } = error;
  const under = cause === undefined ? undefined : failureFrom(cause);
  const status = under?.status;
  if (kind === 'not-done' && under) {
    return new Failure(under.code, `Not done: ${message}`, { hint: under.hint, status, cause });
  }
  return new Failure(codeOfWorkflowKind[kind] ?? exitCodes.internal, message, {
    // Safe writes know no options.
    hint: hint ?? (kind === 'existing-match' ? allowDuplicate : undefined),
    status,
    cause: cause ?? error,
  });
}

/** Additions by `ApiError.code`. */
const additions: Readonly<Record<string, string>> = {
  'missing-rows': 'Run the command again.',
  'shifted-rows': 'Run the command again.',
  'rate-limit': 'Use --max-wait to wait longer.',
  redirect: 'To see the base URL, run `cb doctor --no-online`.',
  'sandbox-key': 'Set CB_BASE_URL to the sandbox, or CB_API_KEY to a key for ClickBank.',
  'split-period': 'Omit --page.',
  timeout: 'Use --timeout to allow more time.',
  'too-many-pages': 'Pass --max-pages to allow more.',
  'unknown-key':
    'Copy the key again from ClickBank, under Settings, API Management. To see which key fails, run `cb doctor --online`.',
  unreadable: 'Commands with --raw show the response as received.',
};
