/**
 * The files of plans, in one private folder. `ID.plan` is the plan with its seal; `ID.claim` says what was decided and
 * exists at most once; `ID.outcome` says what became of it. No file is ever changed, except that a later look
 * replaces an unknown outcome.
 */
import { constants } from 'node:fs';
import { lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomic } from '../../storage/atomic-file.ts';
import { codeOf } from '../../storage/error-code.ts';
import { makeFolder, syncFolder } from '../../storage/folder.ts';
import { badInput, WorkflowError } from '../errors.ts';
import type { Snapshot } from '../safe-write/verifier.ts';
import type { Plan, PlanState } from './plan.ts';

/** What was decided: to send it, not to send it, or that it no longer holds what the person was shown. */
export interface Claim {
  readonly decision: 'approved' | 'declined' | 'changed';
  readonly at: string;
  /** Where the person answered. */
  readonly by: string;
  /** What existed before the write. */
  readonly before?: Snapshot;
  readonly reason?: string;
}

export interface Outcome {
  readonly state: 'done' | 'not done' | 'unknown';
  readonly at: string;
  readonly detail: string;
}

/** All that is on the disk about a plan. */
export interface PlanRecord {
  /** Not checked: see `openPlan`. */
  readonly plan: Plan;
  /** Exactly as sealed. */
  readonly text: string;
  readonly seal: string;
  /** `unreadable` if cb was stopped while it was written: nothing was sent then. */
  readonly claim?: Claim | 'unreadable';
  readonly outcome?: Outcome;
}

/** Milliseconds after which finished and expired plans are removed. */
const kept = 30 * 86_400_000;

const largestFile = 256 * 1024;

export function stateOf({ plan, claim, outcome }: PlanRecord, now: Date): PlanState {
  if (outcome) return outcome.state;
  if (claim === 'unreadable') return 'started';
  if (claim) {
    const states = { approved: 'started', declined: 'declined', changed: 'not done' } as const;
    return states[claim.decision];
  }
  // A clock that was set back does not make a plan last longer.
  const isEarly = now.getTime() < Date.parse(plan.createdAt) - 60_000;
  return isEarly || !(now.getTime() < Date.parse(plan.expiresAt)) ? 'expired' : 'waiting';
}

/** Writes a new plan durably, and removes old ones. */
export async function storePlan(
  folder: string,
  plan: Plan,
  seal: (text: string) => string,
): Promise<void> {
  makeFolder(folder);
  await removeOld(folder, Date.parse(plan.createdAt));
  const text = JSON.stringify(plan);
  await createFile(join(folder, `${plan.id}.plan`), `${seal(text)}\n${text}\n`);
}

/** Throws a WorkflowError: `not-found`, or `bad-input` for a file that is not such a plan. */
export async function readPlan(folder: string, id: string): Promise<PlanRecord> {
  const content = await readOwn(join(folder, `${id}.plan`));
  if (content === undefined) {
    const hint = 'Nothing was sent. To list the waiting plans, run `cb approve`.';
    throw new WorkflowError('not-found', `There is no plan ${id}.`, { hint });
  }
  const [seal = '', text = ''] = content.split('\n');
  const plan = parsed(text) as Plan | undefined;
  if (plan?.version !== 1 || plan.id !== id) throw damaged(id);
  const claim = await readOwn(join(folder, `${id}.claim`));
  const outcome = parsed((await readOwn(join(folder, `${id}.outcome`))) ?? '');
  return {
    ...{ plan, text, seal },
    ...(claim !== undefined && { claim: (parsed(claim) as Claim | undefined) ?? 'unreadable' }),
    ...(outcome !== undefined && { outcome: outcome as Outcome }),
  };
}

export function damaged(id: string): WorkflowError {
  const hint = 'Nothing was sent. Decline it, and ask for a new plan.';
  return badInput(`Plan ${id} was altered after it was made, or made with another key.`, { hint });
}

/** All readable plans, the oldest first. */
export async function listPlans(folder: string): Promise<PlanRecord[]> {
  const names = await readdir(folder).catch(emptyIfAbsent);
  const ids = names.flatMap((name) => (name.endsWith('.plan') ? [name.slice(0, -5)] : []));
  const found = await Promise.all(ids.map((id) => readPlan(folder, id).catch(() => undefined)));
  return found
    .filter((one) => one !== undefined)
    .sort((one, other) => one.plan.createdAt.localeCompare(other.plan.createdAt));
}

/**
 * Decides a plan, once and for all: resolves when the decision is on the disk. Returns false if it was decided before.
 * Throws file system errors.
 */
export async function claimPlan(folder: string, id: string, claim: Claim): Promise<boolean> {
  try {
    await createFile(join(folder, `${id}.claim`), `${JSON.stringify(claim)}\n`);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** A write that is known to be done stays done. */
export async function noteOutcome(folder: string, id: string, outcome: Outcome): Promise<void> {
  const path = join(folder, `${id}.outcome`);
  const before = parsed((await readOwn(path)) ?? '') as Outcome | undefined;
  if (before && before.state !== 'unknown') return;
  await writeAtomic(path, `${JSON.stringify(outcome)}\n`, { mode: 0o600 });
  await syncFolder(folder);
}

/** Fails with EEXIST if the file exists. */
async function createFile(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(join(path, '..'));
}

/** Undefined if the file does not exist. Follows no link, and waits for no pipe. */
async function readOwn(path: string): Promise<string | undefined> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  try {
    const stats = await lstat(path);
    if (!stats.isFile() || stats.size > largestFile) throw badInput(`${path} is not a plan of cb.`);
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

async function removeOld(folder: string, now: number): Promise<void> {
  for (const { plan } of await listPlans(folder)) {
    if (!(now - Date.parse(plan.expiresAt) > kept)) continue;
    // The claim goes last: a plan without its claim could be approved again.
    for (const ending of ['plan', 'outcome', 'claim']) {
      await rm(join(folder, `${plan.id}.${ending}`), { force: true });
    }
  }
}

function emptyIfAbsent(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
