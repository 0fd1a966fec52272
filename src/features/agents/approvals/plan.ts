/** A plan: exactly one write that waits for the yes of a person, with the facts that the person is shown. */
import { randomBytes } from 'node:crypto';
import { badInput } from '../../../client/workflow-error.ts';
import { catalogue } from '../../../operations/index.ts';
import type { Arguments, Operation } from '../../../operations/operation.ts';
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
  /** The operation, as in the catalogue. */
  readonly command: string;
  readonly args: Arguments;
  readonly facts: PlanFacts;
}

/**
 * - `waiting`: for the yes of a person
 * - `started`: approved, and cb has not noted an outcome: it is sending now, or it was stopped
 * - `unknown`: sent, but the response was lost and the write was not found
 * - `expired`: not approved in time
 */
export type PlanState =
  | 'waiting'
  | 'started'
  | 'done'
  | 'not done'
  | 'unknown'
  | 'declined'
  | 'expired';

/** The service and the key for which a plan is made. */
export interface PlanOwner {
  readonly profile: string | undefined;
  readonly service: string;
  /** The digest of a text that only this key makes; it does not reveal the key. */
  seal(text: string): string;
}

/** Without i, l, o and u, which are easily mistyped. 32 characters, so a byte chooses without bias. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

export function createPlanId(): string {
  const text = [...randomBytes(12)].map((byte) => letters[byte % 32]).join('');
  return text.replace(/(.{4})(?=.)/g, '$1-');
}

/** Reads an ID as people type it: in any case, without dashes, O for 0. Throws a WorkflowError (`bad-input`). */
export function planIdFrom(typed: string): string {
  const text = typed.trim().toLowerCase().replaceAll('-', '');
  const plain = text.replaceAll('o', '0').replaceAll(/[il]/g, '1');
  if (plain.length === 12 && [...plain].every((one) => letters.includes(one))) {
    return plain.replace(/(.{4})(?=.)/g, '$1-');
  }
  throw badInput(`Invalid ID of a plan '${typed.slice(0, 40)}'.`, {
    hint: 'Use an ID such as k7qd-3mxp-9ftw. To list the waiting plans, run `cb approve`.',
  });
}

/** Throws a WorkflowError (`bad-input`) for a command that writes nothing or that this version does not know. */
export function operationOf({ command }: Pick<Plan, 'command'>): Operation {
  const found = catalogue.find((one) => one.command === command);
  if (found && found.method !== 'GET' && found.method !== 'HEAD') return found;
  throw badInput(`The plan is for '${command}', which is not a write.`);
}

/** What the write is about. Two plans with the same subject must not both rest on what was read before either. */
export function subjectOf({ command, args, service }: Plan): string {
  const { receipt, id, sku } = args as Readonly<Record<string, unknown>>;
  // Rebills and the sale belong to one order.
  const order = receipt === undefined ? undefined : String(receipt).toUpperCase().split('-')[0];
  return JSON.stringify([service, command, order ?? id ?? sku]);
}
