/** The facts of a plan: everything that a person is shown about a write, and the state on which it rests. */
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../../client/client.ts';
import { type Request, requestFor } from '../../../client/http/request.ts';
import { badInput, WorkflowError } from '../../../client/workflow-error.ts';
import type { Arguments, Operation } from '../../../operations/operation.ts';
import { type PlannedWrite, planWrite } from '../../../safe-write/confirmation.ts';
import { openReader } from '../../../safe-write/reads.ts';
import { rulesOf, verifierOf } from '../../../safe-write/rules.ts';
import { knownMoney } from '../../../safe-write/sentence.ts';
import type { Snapshot } from '../../../safe-write/verifier.ts';

/** Money that goes back to a customer; without an amount, it is not known how much. */
export type Refund = ReturnType<typeof knownMoney>;

/** A write that another plan has made a short time ago. */
export interface EarlierWrite {
  readonly plan: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly action: string;
  readonly isEqual: boolean;
}

export interface PlanFacts extends Pick<PlannedWrite, 'action' | 'details' | 'warnings'> {
  readonly request: Request;
  readonly refund?: Refund;
  /** The state of everything that the write may change; null if it can't be read. */
  readonly state: Snapshot;
  /** The latest one about the same order or ticket. It is no fact of the service, so it is not read again. */
  readonly earlier?: EarlierWrite;
}

/**
 * Reads the facts of a write, as a dry run does. Throws a WorkflowError if it must not be sent: `bad-input` if it names none of
 * several items, `existing-match` for an equal ticket or notice, `not-found` if the service will refuse it.
 */
export async function factsOf(client: Client, operation: Operation, args: Arguments) {
  const plan = await planWrite(client, operation, args);
  const unnamed = plan.warnings.find(({ kind }) => kind === 'several-items');
  if (unnamed) {
    const params = Object.entries(operation.params);
    const [name = 'sku'] = params.find(([, { names }]) => names === 'sku') ?? [];
    const hint = `Nothing was sent. Ask the person which one is meant, and pass its ${name}.`;
    throw badInput(`${unnamed.message}.`, { hint });
  }
  const look = await verifierOf(operation)?.look(client, args);
  if (look?.existingMatch !== undefined) {
    const hint = 'Nothing was sent. A plan can never add a second one.';
    throw new WorkflowError('existing-match', `${look.existingMatch}.`, { hint });
  }
  const refused = plan.warnings.find(({ kind }) => kind === 'refused');
  if (refused) {
    throw new WorkflowError('not-found', `${refused.message}.`, { hint: 'Nothing was sent.' });
  }
  const refund = await refundOf(client, operation, args, plan);
  const { action, details, warnings } = plan;
  const request = requestFor(operation, args);
  const state = look?.snapshot ?? null;
  // As it is read back from the file: without members that are undefined.
  return JSON.parse(
    JSON.stringify({ action, details, warnings, request, ...(refund && { refund }), state }),
  ) as PlanFacts;
}

async function refundOf(
  client: Client,
  operation: Operation,
  args: Arguments,
  { warnings }: PlannedWrite,
): Promise<Refund | undefined> {
  const amounts = await rulesOf(operation)?.refund?.(openReader(client), args);
  if (amounts) return knownMoney(amounts.customerAmount, amounts.customerCurrency);
  const refunding = ['refunds-sale', 'full-refund', 'reopens-refund', 'prorated-refund'];
  const warning = warnings.find(
    ({ kind, requires }) => refunding.includes(kind) || requires === 'allow-refund',
  );
  if (warning) return knownMoney(warning.amount, warning.currency);
  // The refund of a return has an amount that the plan does not know.
  const isRefund = (args as { readonly type?: unknown }).type === 'rfnd';
  return isRefund || operation.command === 'tickets returned' ? {} : undefined;
}

/** What the refund is in words, such as `29.00 USD`; undefined if the write refunds nothing. */
export function refundText({ refund }: Pick<PlanFacts, 'refund'>): string | undefined {
  if (!refund) return undefined;
  const { amount, currency } = refund;
  return amount === undefined ? 'an unknown amount' : [amount, currency].filter(Boolean).join(' ');
}

/** A refund that the tool's name does not suggest needs its own confirmation, like `--allow-refund` elsewhere. */
export function isUnexpectedRefund({ warnings }: PlanFacts): boolean {
  return warnings.some(
    ({ kind, requires }) => requires === 'allow-refund' || kind === 'prorated-refund',
  );
}

/** What differs, in words; empty for the same facts. */
export function changesIn(before: PlanFacts, now: PlanFacts): string[] {
  const parts = [
    ['action', 'what it does'],
    ['details', 'the details'],
    ['warnings', 'the warnings'],
    ['refund', 'the amount'],
    ['request', 'the request'],
    ['state', 'the state of the order or ticket'],
  ] as const;
  const changed = parts.filter(([name]) => !isDeepStrictEqual(before[name], now[name]));
  return changed.map(([, words]) => words);
}

/** Complete sentences, with the earlier write if it was another one. */
export function detailsOf({ details, earlier }: PlanFacts): readonly string[] {
  if (!earlier || earlier.isEqual) return details;
  const { plan, at, action } = earlier;
  return [...details, `Plan ${plan} did this before, at ${timeOf(at)}: ${action}.`];
}

/** Complete sentences, with the earlier write if it was an equal one. */
export function warningsOf({ warnings, earlier }: PlanFacts): readonly string[] {
  const given = warnings.map(({ message }) => `${message}.`);
  if (!earlier?.isEqual) return given;
  return [...given, `Plan ${earlier.plan} did exactly the same at ${timeOf(earlier.at)}.`];
}

export function requestText({ request }: PlanFacts): string {
  const { method, path, query } = request;
  const values = query.map(([name, value]) => `${name}=${value}`).join(', ');
  return `${method} ${path}${values && ` with ${values}`}`;
}

function timeOf(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}

/** The facts as complete lines of text, so that a name can't begin a line of its own. Control characters are not removed. */
export function factLines(facts: PlanFacts): string[] {
  const { action } = facts;
  const back = refundText(facts);
  const lines = [
    [`${action}.`, ...detailsOf(facts)].join(' '),
    ...warningsOf(facts).map((text) => `Warning: ${text}`),
    ...(back === undefined ? [] : [`Money back to the customer: ${back}.`]),
    `Request: ${requestText(facts)}.`,
  ];
  return lines.map((line) => line.replaceAll(/\s+/g, ' '));
}
