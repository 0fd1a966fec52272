/** Identifies the process that created a lock file, and checks whether it still runs. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from './files.ts';

/** The processes of this machine. */
export interface Processes {
  readonly own: number;
  /** Whether a process with this ID, of any user, exists. */
  isRunning(id: number): boolean;
}

/** The processes as `node:process` knows them. */
export function processesFrom(current: Pick<NodeJS.Process, 'pid' | 'kill'>): Processes {
  return {
    own: current.pid,
    isRunning(id) {
      try {
        return current.kill(id, 0);
      } catch (error) {
        return codeOf(error) === 'EPERM';
      }
    },
  };
}

export interface Identity {
  readonly host: string;
  /** Known on Linux, though seldom in a container. */
  readonly machine?: string | undefined;
  /** The boot ID and the process namespace. Known on Linux only. */
  readonly boot?: string | undefined;
  readonly namespace?: string | undefined;
  readonly pid: number;
  /** When the process started, in ticks since the system started. */
  readonly start?: string | undefined;
}

export function identityOf(processes: Processes): Identity {
  return {
    host: hostname(),
    machine: contentOf('/etc/machine-id') || undefined,
    boot: contentOf('/proc/sys/kernel/random/boot_id'),
    namespace: quietly(() => readlinkSync('/proc/self/ns/pid')),
    pid: processes.own,
    start: statOf(processes.own, processes)?.start,
  };
}

/** `elsewhere`: the process can't be looked up, since it runs on another host or in another container. */
export type Liveness = 'running' | 'ended' | 'elsewhere';

export function livenessOf(owner: Identity, processes: Processes): Liveness {
  const self = identityOf(processes);
  const isSameMachine = self.machine !== undefined && owner.machine === self.machine;
  // Restarted since, for example after a power failure.
  if (isSameMachine && owner.host === self.host && owner.boot !== self.boot) return 'ended';
  const isNear =
    owner.boot === self.boot &&
    owner.namespace === self.namespace &&
    (self.boot !== undefined || owner.host === self.host);
  if (!isNear) return 'elsewhere';
  if (!processes.isRunning(owner.pid)) return 'ended';
  const found = statOf(owner.pid, processes);
  if (!found) return 'running';
  // Another process may have this ID now.
  const isAnother = owner.start !== undefined && found.start !== owner.start;
  return found.isDead || isAnother ? 'ended' : 'running';
}

/**
 * A killed process keeps its entry until its parent has read its exit status. Undefined if /proc is
 * missing or shows another namespace.
 */
function statOf(id: number, { own }: Processes) {
  if (!contentOf('/proc/self/stat')?.startsWith(`${own} `)) return undefined;
  const stat = contentOf(`/proc/${id}/stat`);
  // The name of the program is in parentheses and may contain spaces and parentheses.
  const [state = '', ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const start = fields[18];
  return start === undefined ? undefined : { start, isDead: state === 'Z' || state === 'X' };
}

function contentOf(file: string): string | undefined {
  return quietly(() => readFileSync(file, 'utf8').trim());
}

function quietly(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
