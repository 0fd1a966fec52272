/** What a lock file says about the process that created it, and whether that process still runs. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { hostname } from 'node:os';

/** The processes of this machine, as the caller can see them. */
export interface Processes {
  /** The ID of this process. */
  readonly own: number;
  /** Whether there is a process with this ID, of any user. */
  isRunning(id: number): boolean;
}

/** The content of a lock file. It never holds arguments, which may contain a key. */
export interface LockRecord {
  /** Different each time that a lock is acquired. */
  readonly nonce: string;
  readonly host: string;
  /** The running system and the process namespace, where these are known: Linux. */
  readonly boot?: string | undefined;
  readonly namespace?: string | undefined;
  readonly pid: number;
  /** When the process started, in ticks since the system started. */
  readonly start?: string | undefined;
  readonly user?: number | undefined;
  /** As in `orders list`. */
  readonly command?: string | undefined;
  /** An ISO 8601 timestamp. */
  readonly since: string;
}

/** A lock file as it was read. `record` is undefined while it is being written, or when it is damaged. */
export interface LockFile {
  readonly nonce: string;
  readonly record: LockRecord | undefined;
  /** The modification time; each heartbeat changes it. */
  readonly beat: number;
}

/** What identifies this process in a lock file. */
export type Identity = Pick<LockRecord, 'host' | 'boot' | 'namespace' | 'pid' | 'start'>;

export function identityOf(processes: Processes): Identity {
  return {
    host: hostname(),
    boot: contentOf('/proc/sys/kernel/random/boot_id'),
    namespace: linkOf('/proc/self/ns/pid'),
    pid: processes.own,
    start: procIsOurs(processes) ? statOf(processes.own)?.start : undefined,
  };
}

/** `elsewhere` is a process that can't be looked up from here: on another host, or in another container. */
export type Liveness = 'running' | 'ended' | 'elsewhere';

export function livenessOf(record: LockRecord, processes: Processes): Liveness {
  const self = identityOf(processes);
  const isNear =
    record.boot === self.boot &&
    record.namespace === self.namespace &&
    (self.boot !== undefined || record.host === self.host);
  if (!isNear) return 'elsewhere';
  if (!processes.isRunning(record.pid)) return 'ended';
  const found = procIsOurs(processes) ? statOf(record.pid) : undefined;
  if (found?.isDead) return 'ended';
  // Another process may have got the ID since.
  const isAnother =
    found !== undefined && record.start !== undefined && found.start !== record.start;
  return isAnother ? 'ended' : 'running';
}

/** False where /proc shows the processes of another namespace. */
function procIsOurs({ own }: Processes): boolean {
  return contentOf('/proc/self/stat')?.startsWith(`${own} `) ?? false;
}

/** A process that was killed keeps its entry until its parent has asked how it ended. */
function statOf(id: number): { readonly start: string; readonly isDead: boolean } | undefined {
  const stat = contentOf(`/proc/${id}/stat`);
  // The name of the program is in parentheses and may hold spaces and parentheses.
  const [state = '', ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const start = fields[18];
  return start === undefined ? undefined : { start, isDead: state === 'Z' || state === 'X' };
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

const longestRecord = 4096;

/** Undefined where there is no lock file. Follows no link. Throws what the file system throws. */
export function readLockFile(file: string): LockFile | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let opened: number;
  try {
    opened = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    // Only now, so that a network file system gives the current time and not a cached one.
    const { ino, mtimeMs } = fstatSync(opened);
    const buffer = Buffer.alloc(longestRecord);
    const text = buffer.toString('utf8', 0, readSync(opened, buffer));
    if (text !== '' && !text.startsWith(start)) throw foreign(file);
    const record = parseRecord(text);
    return { nonce: record?.nonce ?? `damaged${ino}`, record, beat: mtimeMs };
  } finally {
    closeSync(opened);
  }
}

/** How every lock file begins; one that is being written may still be empty. */
const start = '{"nonce":"';

/** A file of the user's own, which must not be replaced. */
function foreign(file: string): Error {
  return Object.assign(new Error(`${file} is no lock file`), { code: 'not a lock file of cb' });
}

/** What a nonce looks like, so that it can be part of a file name. */
export const nonceForm = /^[0-9a-f]{16}$/;

function parseRecord(text: string): LockRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<Record<keyof LockRecord, unknown>> | null;
    const isRecord =
      nonceForm.test(String(record?.nonce)) &&
      Number.isSafeInteger(record?.pid) &&
      typeof record?.host === 'string' &&
      typeof record.since === 'string' &&
      ['string', 'undefined'].includes(typeof record.command);
    return isRecord ? (record as LockRecord) : undefined;
  } catch {
    return undefined;
  }
}
