/** A plan: exactly one write that waits for the yes of a person. The ledger keeps its text until a day after its end. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { badInput, WorkflowError } from '../../../client/workflow-error.ts';
import { type Entry, isInTime, isOpen } from '../../../ledger/entry.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { catalogue } from '../../../operations/index.ts';
import { type Arguments, isWrite, type Operation } from '../../../operations/operation.ts';
import { subjectOf } from '../../../safe-write/recording.ts';
import type { PlanFacts } from './facts.ts';

export interface Plan {
  readonly version: 1;
  /** Three groups of four characters, such as k7qd-3mxp-9ftw. */
  readonly id: string;
  /** ISO 8601, UTC, by the clock of this machine. */
  readonly createdAt: string;
  readonly expiresAt: string;
  /** The program that made it, such as `claude-code 2.1`. */
  readonly madeBy: string;
  /** The profile whose key sends the write; absent if the key is in the environment. */
  readonly profile?: string;
  /** The service as people know it: its origin, or `the sandbox`. */
  readonly service: string;
  readonly command: string;
  readonly args: Arguments;
  readonly facts: PlanFacts;
}

/** The service and the key for which a plan is made. */
export interface PlanOwner {
  readonly profile: string | undefined;
  readonly service: string;
  readonly key: string;
}

export interface PlanRecord {
  readonly plan: Plan;
  readonly entry: Entry;
}

/** Without i, l, o and u, which are easily mistyped. 32 characters, so a byte chooses without bias. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

const grouped = (characters: string) => characters.replace(/(.{4})(?=.)/g, '$1-');

export function createPlanId(): string {
  return grouped([...randomBytes(12)].map((byte) => letters[byte % 32]).join(''));
}

/** Reads an ID as people type it: in any case, without dashes, O for 0. Throws a WorkflowError (`bad-input`). */
export function planIdFrom(typed: string): string {
  const text = typed.trim().toLowerCase().replaceAll('-', '');
  const plain = text.replaceAll('o', '0').replaceAll(/[il]/g, '1');
  if (plain.length === 12 && [...plain].every((one) => letters.includes(one))) {
    return grouped(plain);
  }
  throw badInput(`Invalid ID of a plan '${typed.slice(0, 40)}'.`, {
    hint: 'Use an ID such as k7qd-3mxp-9ftw. To list the waiting plans, run `cb approve`.',
  });
}

/** Throws a WorkflowError (`bad-input`) for a command that writes nothing or that this version does not know. */
export function operationOf({ command }: Pick<Plan, 'command'>): Operation {
  const found = catalogue.find((one) => one.command === command);
  if (found && isWrite(found)) return found;
  throw badInput(`The plan is for '${command}', which is not a write.`);
}

/** Binds a plan to its content, the service and the key: only a program that has the key can make the same seal. */
function sealOf({ service, key }: PlanOwner, plan: Plan): string {
  const secret = createHmac('sha256', key)
    .update(JSON.stringify(['cb plan', service]))
    .digest();
  const digest = createHmac('sha256', secret).update(JSON.stringify(plan)).digest('hex');
  return `hmac-sha256:${digest}`;
}

/** Resolves when a new plan is on the disk. */
export async function storePlan(ledger: Ledger, plan: Plan, owner: PlanOwner): Promise<void> {
  const about = subjectOf(plan.args);
  await ledger.record({
    ...{ id: plan.id, at: plan.createdAt, state: 'planned', origin: 'agent' },
    ...{ operation: plan.command, service: serviceName(plan), by: plan.madeBy },
    ...(about !== undefined && { about }),
    ...{ plan: plan as unknown as Entry['plan'] & {}, seal: sealOf(owner, plan) },
  });
}

/** As entries of the ledger name it. */
function serviceName({ profile, service }: Plan): string {
  return profile ?? service;
}

/** The text of a plan, not checked; undefined if it was removed. */
export function planIn({ id, plan }: Entry): Plan | undefined {
  const text = plan as unknown as Plan | undefined;
  return text?.version === 1 && text.id === id ? text : undefined;
}

/** Throws a WorkflowError: `not-found`, or `bad-input` for an entry that is not such a plan. */
export async function readPlan(ledger: Ledger, id: string): Promise<PlanRecord> {
  const entry = (await ledger.read()).entries.get(id);
  const hint = 'Nothing was sent. To list the waiting plans, run `cb approve`.';
  if (!entry) throw new WorkflowError('not-found', `There is no plan ${id}.`, { hint });
  const plan = planIn(entry);
  if (plan) return { plan, entry };
  if (entry.plan !== undefined) throw damaged(id);
  const state = entry.state === 'planned' ? 'expired' : entry.state;
  if (isOpen(entry)) {
    const message = `Plan ${id} was approved, its customer was forgotten, and its outcome is unknown.`;
    throw new WorkflowError('not-found', message, { hint: 'Check the order or ticket.' });
  }
  const message = `Plan ${id} ended more than a day ago (${state}).`;
  throw new WorkflowError('not-found', message, { hint: 'Nothing was sent. cb log shows it.' });
}

/** Returns a plan that this key made. Throws a WorkflowError for an altered one, or one of another account. */
export async function ownPlan(ledger: Ledger, owner: PlanOwner, id: string): Promise<PlanRecord> {
  const record = await readPlan(ledger, id);
  const { plan, entry } = record;
  if (plan.service !== owner.service || plan.profile !== owner.profile) {
    const place = plan.profile === undefined ? 'the key in CB_API_KEY' : `profile ${plan.profile}`;
    const message = `Plan ${id} was made with ${place} for ${plan.service}, not for this account.`;
    throw new WorkflowError('bad-input', message, { hint: 'Nothing was sent.' });
  }
  const [seal, expected] = [Buffer.from(entry.seal ?? ''), Buffer.from(sealOf(owner, plan))];
  if (seal.length === expected.length && timingSafeEqual(seal, expected)) return record;
  throw damaged(id);
}

function damaged(id: string): WorkflowError {
  const hint = 'Nothing was sent. Decline it, and ask for a new plan.';
  return badInput(`Plan ${id} was altered after it was made, or made with another key.`, { hint });
}

/**
 * - `waiting`: for the yes of a person
 * - `started`: approved, and cb has not noted an outcome: it is sending now, or it was stopped
 * - `unknown`: sent, but the response was lost and the write was not found
 * - `expired`: not approved in time
 */
export type PlanState =
  | Exclude<Entry['state'], 'planned' | 'sending'>
  | 'waiting'
  | 'started'
  | 'expired';

export function stateOf({ plan, entry }: PlanRecord, now: Date): PlanState {
  if (entry.state === 'sending') return 'started';
  if (entry.state !== 'planned') return entry.state;
  return isInTime(Date.parse(plan.createdAt), now.getTime()) ? 'waiting' : 'expired';
}

/** Milliseconds after which an unknown outcome no longer keeps other plans from being made. */
const remembered = 30 * 86_400_000;

/** Other plans about the same order or ticket, also without texts: no two may both rest on what was read before either. */
export async function plansAbout(ledger: Ledger, plan: Plan, now: Date): Promise<Entry[]> {
  // Rebills and the sale belong to one order.
  const orderOf = (about = '') => about.toUpperCase().split('-')[0];
  const isSameService = (one: Entry) => {
    const other = planIn(one);
    return other ? other.service === plan.service : one.service === serviceName(plan);
  };
  const { entries } = await ledger.read();
  return [...entries.values()].filter(
    (one) =>
      one.id !== plan.id &&
      one.origin === 'agent' &&
      one.operation === plan.command &&
      isSameService(one) &&
      orderOf(one.about) === orderOf(subjectOf(plan.args)) &&
      now.getTime() - Date.parse(one.sentAt ?? one.at) < remembered,
  );
}
