/** What is needed to make and approve plans, and which plans belong to the account. */
import type { Client } from '../../../client/client.ts';
import { WorkflowError } from '../../../client/workflow-error.ts';
import type { Day } from '../../../dates/day.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { Sender } from '../../../safe-write/recording.ts';
import type { Verification } from '../../../safe-write/safe-write.ts';
import { acquireLock, type Lock, LockError } from '../../../storage/lock.ts';
import type { Processes } from '../../../storage/lock-owner.ts';
import type { PlanOwner } from './plan.ts';
import { damaged, type PlanRecord, readPlan } from './plan-store.ts';
import { isSameSeal } from './seal.ts';

export interface Approvals {
  readonly ledger: Ledger;
  readonly owner: PlanOwner;
  /** Who approves, for the ledger. */
  readonly sender: Sender;
  /** Reads before the decision. */
  readonly client: Client;
  /** Sends the write. Default: `client`. A call that is canceled must not abort a write that has begun. */
  readonly writer?: Client;
  readonly processes: Processes;
  readonly verification: Verification;
  /** The time of this machine. */
  now(): Date;
  /** The Pacific day at the service. */
  readonly today: Day;
}

/** Milliseconds to wait for another approval on this machine, which may be looking for a lost write. */
const turn = 45_000;

/** Returns a plan that this key made. Throws a WorkflowError for an altered one, or one of another account. */
export async function ownPlan(
  { ledger, owner }: Pick<Approvals, 'ledger' | 'owner'>,
  id: string,
): Promise<PlanRecord> {
  const record = await readPlan(ledger, id);
  const { plan } = record;
  if (plan.service !== owner.service || plan.profile !== owner.profile) {
    const place = plan.profile === undefined ? 'the key in CB_API_KEY' : `profile ${plan.profile}`;
    const hint = 'Nothing was sent.';
    const message = `Plan ${id} was made with ${place} for ${plan.service}, not for this account.`;
    throw new WorkflowError('bad-input', message, { hint });
  }
  if (!isSameSeal(owner.seal(JSON.stringify(plan)), record.seal)) throw damaged(id);
  return record;
}

/** Waits for other approvals on this machine. Throws a WorkflowError (`declined`) if one takes too long. */
export async function takeTurn(
  { ledger, processes }: Pick<Approvals, 'ledger' | 'processes'>,
  patience = turn,
): Promise<Lock> {
  try {
    const command = 'approve';
    return await acquireLock(`${ledger.path}.approvals`, { processes, command, patience });
  } catch (error) {
    if (!(error instanceof LockError && error.problem === 'held')) throw error;
    const hint = 'Nothing was sent. Wait until it ends, then try again.';
    const message = 'Another approval is being sent.';
    throw new WorkflowError('declined', message, { hint, cause: error });
  }
}
