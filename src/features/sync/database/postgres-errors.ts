/** Errors of PostgreSQL and of the connection to it, as errors of a destination. */
import { DestinationError, type DestinationErrorKind, damagedCopy } from '../destination.ts';

interface Explained {
  readonly kind: DestinationErrorKind;
  readonly says: (label: string, reason: string) => string;
  readonly hint?: string;
}

const cannotConnect = (label: string, reason: string) => `Cannot connect to ${label}: ${reason}.`;

const shutDown: Explained = {
  kind: 'lost',
  says: (label) => `The connection to ${label} was lost.`,
  hint: 'What was committed is kept. Run the command again to continue.',
};

const notPermitted: Explained = {
  kind: 'unsuitable',
  says: (label, reason) => `${label}: ${reason}.`,
  hint: 'Grant the role CREATE and TEMPORARY on the database, or create the schema with this role as its owner.',
};

/** By SQLSTATE, the longest prefix first; see appendix A of the PostgreSQL manual. */
const bySqlState: readonly (readonly [prefix: string, Explained])[] = [
  [
    '28',
    {
      kind: 'unavailable',
      says: cannotConnect,
      hint: 'Check the user and the password: in the URL, in PGPASSWORD, or in ~/.pgpass.',
    },
  ],
  [
    '3D000',
    { kind: 'unavailable', says: cannotConnect, hint: 'Create it, for example with `createdb`.' },
  ],
  ['57P03', { kind: 'unavailable', says: cannotConnect, hint: 'Try again in a moment.' }],
  ['57P', shutDown],
  ['08', shutDown],
  [
    '53100',
    {
      kind: 'full',
      says: (label) => `The disk of ${label} is full.`,
      hint: 'Free some space. Then run the command again to continue.',
    },
  ],
  [
    '53',
    {
      kind: 'unavailable',
      says: (label, reason) => `${label}: ${reason}.`,
      hint: 'Try again later.',
    },
  ],
  ['58', { kind: 'unavailable', says: (label, reason) => `${label}: ${reason}.` }],
  ['42501', notPermitted],
  [
    '25006',
    {
      kind: 'unsuitable',
      says: (label) => `${label} can't be written to.`,
      hint: 'Name a database that is neither a replica nor read-only.',
    },
  ],
  [
    '42P07',
    {
      kind: 'unsuitable',
      says: (label, reason) => `${label} has other tables: ${reason}.`,
      hint: 'Name another schema with --schema.',
    },
  ],
  [
    '40',
    {
      kind: 'busy',
      says: (label, reason) => `${label}: ${reason}.`,
      hint: 'Another program uses the tables of the copy. Try again.',
    },
  ],
  [
    '55P03',
    {
      kind: 'busy',
      says: (label, reason) => `${label}: ${reason}.`,
      hint: 'Another program uses the tables of the copy. Try again.',
    },
  ],
];

/** The states of a table or column that is missing, and of a column that exists twice. */
const damagedStates = ['42P01', '42703', '42701'];

/** Returns a DestinationError for what the user can solve; anything else stays as it is. */
export function postgresError(error: unknown, label: string): unknown {
  if (!(error instanceof Error) || error instanceof DestinationError) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (damagedStates.includes(code)) return damagedCopy(label, error.message, error);
  if (isStall(error)) {
    return new DestinationError('lost', `${label} stopped answering.`, {
      hint: shutDown.hint,
      cause: error,
    });
  }
  const found = bySqlState.find(([prefix]) => code.length === 5 && code.startsWith(prefix))?.[1];
  const explained = found ?? (isLoss(error, code) ? shutDown : undefined);
  if (!explained) return error;
  const { kind, says, hint } = explained;
  return new DestinationError(kind, says(label, reasonOf(error, code)), {
    hint,
    cause: error,
  });
}

/** An error while connecting; each of them means that there is no connection. */
export function connectError(error: unknown, label: string): unknown {
  const known = postgresError(error, label);
  if (known instanceof DestinationError && known.kind !== 'lost') return known;
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const hint = /CERT|SELF_SIGNED|VERIFY/.test(code)
    ? 'To trust an authority of your own, add sslrootcert=FILE to the URL.'
    : 'Check the host, the port and sslmode, and that PostgreSQL is running.';
  return new DestinationError('unavailable', cannotConnect(label, reasonOf(error, code)), {
    hint,
    cause: error,
  });
}

/** pg has waited for the result of a statement for as long as `query_timeout` allows. */
export function isStall(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** pg reports a connection that ended in its own words, and a broken socket by its code. */
function isLoss({ message }: Error, code: string): boolean {
  return (
    /^(ECONNRESET|EPIPE|ETIMEDOUT|ERR_STREAM_\w+)$/.test(code) ||
    /^Connection terminated|connection error and is not queryable|^Client was closed/.test(message)
  );
}

const socketReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOENT: 'there is no such socket',
  ENOTFOUND: 'unknown host',
  ETIMEDOUT: 'timeout',
};

function reasonOf({ message }: Error, code: string): string {
  if (message === 'timeout expired') return 'timeout';
  return socketReasons[code] ?? message.replace(/[.\s]+$/, '');
}
