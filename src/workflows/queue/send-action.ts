/** Sends one confirmed action of a queue: looks, logs, sends once, verifies, and logs the outcome. */
import { randomUUID } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { catalogue } from '../../operations/index.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { type Account, createFingerprint, matchesFingerprint } from '../../storage/fingerprint.ts';
import { reasonOf } from '../errors.ts';
import { verifierOf } from '../safe-write/rules.ts';
import { findWrite, sendOnce, type Verification } from '../safe-write/safe-write.ts';
import type { ActionLog, ActionRecord, LogLine, OpenAction, SentRequest } from './action-log.ts';

/** A confirmed action. The record says what it is; its time and outcome are added here. */
export interface Action {
  readonly operation: Operation;
  readonly args: Arguments;
  readonly about: Omit<ActionRecord, 'time' | 'outcome' | 'detail'>;
}

export interface ActionSender {
  readonly client: Client;
  /** Undefined if the person keeps no log. */
  readonly log: ActionLog | undefined;
  readonly account: Account;
  readonly verification: Verification;
  /** The time of the service. */
  now(): Date;
}

export interface ActionResult {
  readonly record: ActionRecord;
  /** The service's reply, if the action is done and has one. */
  readonly reply?: unknown;
  /** The reads before the write failed or found an equal one: nothing was sent, so nothing is in the log. */
  readonly isUnsent?: boolean;
  /** The outcome could not be logged; the log then still says that it is unknown. */
  readonly logProblem?: unknown;
  /** What is needed to look for it again, if its outcome is unknown. */
  readonly open?: OpenAction;
}

/** Sends the action once. Throws only if the log can't be written before the request: nothing was sent then. */
export async function sendAction(sender: ActionSender, action: Action): Promise<ActionResult> {
  const { client, log, account, verification, now } = sender;
  const { operation, args, about } = action;
  const record = (outcome: ActionRecord['outcome'], detail: string): ActionRecord => ({
    ...{ ...about, time: now().toISOString(), outcome, detail },
  });
  let before: Awaited<ReturnType<typeof lookBefore>>;
  try {
    before = await lookBefore(client, operation, args);
  } catch (error) {
    return { record: record('not done', `Not sent: ${reasonOf(error)}`), isUnsent: true };
  }
  const actionId = randomUUID();
  const request = {
    ...{ command: operation.command, args, before: before ?? null },
    account: createFingerprint(account),
  };
  await log?.add({ ...record('sent, outcome unknown', ''), actionId, request });
  const sent = await sendOnce(client, operation, args, before, verification);
  const result: ActionResult = {
    record: record(...outcomeOf(sent)),
    ...(sent.state === 'done' && { reply: sent.result.reply }),
  };
  const logProblem = await log?.add({ ...result.record, actionId }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const isOpen = sent.state === 'unknown';
  return {
    ...result,
    ...(logProblem !== undefined && { logProblem }),
    ...(isOpen && { open: { ...result.record, actionId, request } }),
  };
}

function outcomeOf(
  sent: Awaited<ReturnType<typeof sendOnce>>,
): [outcome: ActionRecord['outcome'], detail: string] {
  if (sent.state === 'done') {
    const isVerified = sent.result.how === 'verified';
    return ['done', isVerified ? 'The response was unclear, but a check found it.' : ''];
  }
  const outcome = sent.state === 'unknown' ? 'unknown' : 'not done';
  return [outcome, reasonOf(sent.cause)];
}

/** Throws if an equal ticket already exists. */
async function lookBefore(client: Client, operation: Operation, args: Arguments) {
  const look = await verifierOf(operation)?.look(client, args);
  if (look?.existingMatch !== undefined) throw new Error(`${look.existingMatch}.`);
  return look?.snapshot;
}

/** What was found out about an open action of an earlier run. */
export interface Resolution {
  readonly action: OpenAction;
  readonly state: 'done' | 'unknown' | 'other account';
}

/** A search ignores reads that fail. Throws an ApiError if this one fails or is refused: nothing is known then. */
async function lookOnce(client: Client, operation: Operation, { args, before }: SentRequest) {
  const verifier = verifierOf(operation);
  if (!verifier) return undefined;
  const look = await verifier.look(client, args);
  if (!look || before === null) {
    throw new ApiError('refused', 'The key may not read what the write changes.');
  }
  return look.find(args, before);
}

/**
 * Looks for an action that an earlier run sent or was about to send, and logs what it finds. An action that is not
 * found stays unknown: the request may never have left, or may still arrive. Throws an ApiError if it can't look.
 */
export async function resolveAction(sender: ActionSender, action: OpenAction): Promise<Resolution> {
  const { client, log, account, verification, now } = sender;
  const { request, actionId } = action;
  const operation = catalogue.find(({ command }) => command === request.command);
  if (!operation || !matchesFingerprint(request.account, account)) {
    return { action, state: 'other account' };
  }
  const passed = Math.max(0, now().getTime() - Date.parse(action.time));
  const { clock, wait } = verification;
  const query = { before: request.before, until: clock.now() + Math.max(0, wait - passed) };
  const found =
    (await findWrite(client, operation, request.args, query, verification)) ??
    (await lookOnce(client, operation, request));
  const state = found ? 'done' : 'unknown';
  if (found || action.outcome !== 'unknown') {
    const { request: _, ...about } = action;
    const detail = found
      ? 'A later run found it.'
      : 'cb was stopped, and a later run found nothing.';
    const line: LogLine = { ...about, time: now().toISOString(), outcome: state, detail, actionId };
    await log?.add(line);
  }
  return { action, state };
}
