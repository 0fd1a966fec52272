/** Sends one confirmed action of a queue: looks, records, sends once, verifies, and records the outcome. */
import { randomUUID } from 'node:crypto';
import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { reasonOf } from '../../../client/workflow-error.ts';
import { applyLine, type Entry, isOpen } from '../../../ledger/entry.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { catalogue } from '../../../operations/index.ts';
import type { Arguments, Operation } from '../../../operations/operation.ts';
import { type EndState, endLine, type Sender, sendingLine } from '../../../safe-write/recording.ts';
import { verifierOf } from '../../../safe-write/rules.ts';
import { doneBy, findWrite, sendOnce, type Verification } from '../../../safe-write/safe-write.ts';
import type { Snapshot } from '../../../safe-write/verifier.ts';
import { matchesFingerprint } from '../../../storage/fingerprint.ts';

export interface ActionRecord {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly ticketId: string;
  readonly receipt: string;
  readonly email: string;
  readonly action: string;
  readonly amount: string;
  readonly currency: string;
  readonly outcome: EndState | 'dry run';
  readonly detail: string;
}

/** A confirmed action. The record says what it is; its time and outcome are added here. */
export interface Action {
  readonly operation: Operation;
  readonly args: Arguments;
  readonly about: Omit<ActionRecord, 'time' | 'outcome' | 'detail'>;
}

export interface ActionSender {
  readonly client: Client;
  readonly ledger: Ledger;
  /** For the ledger, with the time of this machine. */
  readonly sender: Sender;
  readonly verification: Verification;
  /** The IDs of actions of unknown outcome that the person has already seen. */
  readonly known: Set<string>;
  /** The time of the service. */
  now(): Date;
}

export interface ActionResult {
  readonly record: ActionRecord;
  /** The service's reply, if the action is done and has one. */
  readonly reply?: unknown;
  /** The reads before the write failed or found an equal one: nothing was sent, so nothing was recorded. */
  readonly isUnsent?: boolean;
  /** The outcome could not be recorded; the ledger then still says that it is unknown. */
  readonly problem?: unknown;
  /** What is needed to look for it again, if its outcome is unknown. */
  readonly open?: Entry;
}

/** Sends the action once. Throws only if it can't be recorded before the request: nothing was sent then. */
export async function sendAction(
  { client, ledger, sender, verification, known, now }: ActionSender,
  { operation, args, about }: Action,
): Promise<ActionResult> {
  const record = (outcome: EndState, detail: string): ActionRecord => ({
    ...{ ...about, time: now().toISOString(), outcome, detail },
  });
  const unsent = (why: string) => ({
    record: record('not done', `Not sent: ${why}`),
    isUnsent: true,
  });
  let before: Snapshot | undefined;
  try {
    const look = await verifierOf(operation)?.look(client, args);
    if (look?.existingMatch !== undefined) return unsent(`${look.existingMatch}.`);
    before = look?.snapshot;
  } catch (error) {
    return unsent(reasonOf(error));
  }
  const write = { id: randomUUID(), operation, args };
  const { ticketId, receipt, action, amount, currency } = about;
  const sending = {
    ...sendingLine(sender, { ...write, before: before ?? null }),
    ...{ about: receipt || ticketId, ticket: ticketId, action },
    ...(amount && { amount, currency }),
  };
  known.add(write.id);
  const isAlone = await ledger.change(async ({ entries, add }) => {
    const others = openAmong(entries.values(), sender).filter(({ id }) => !known.has(id));
    return !others.some((one) => sameAction(one) === sameAction(sending)) && add(sending);
  });
  if (!isAlone)
    return unsent('Another session has sent the same write, and its outcome is unknown.');
  const sent = await sendOnce(client, operation, args, before, verification);
  const end = endLine(sender, write, sent);
  const problem = await ledger.record(end).then(
    () => undefined,
    (error: unknown) => error,
  );
  return {
    record: record(end.state as EndState, end.why ?? ''),
    ...(sent.state === 'done' && { reply: sent.result.reply }),
    ...(problem !== undefined && { problem }),
    ...(sent.state === 'unknown' && { open: applyLine(applyLine(undefined, sending), end) }),
  };
}

/** Equal for actions that a look can't tell apart: refunds of one receipt, or equal changes of one ticket. */
export function sameAction({ action, about, ticket }: Pick<Entry, 'action' | 'about' | 'ticket'>) {
  return JSON.stringify([action, action === 'refund' || action === 'cancel' ? about : ticket]);
}

/** Milliseconds after which nothing can arrive any more. */
const lookedFor = 7 * 86_400_000;

/** The account's earlier actions of unknown outcome. Of equal ones only the last: a look can't tell them apart. */
export async function openActions({
  ledger,
  sender,
  known,
}: Pick<ActionSender, 'ledger' | 'sender' | 'known'>): Promise<Entry[]> {
  const { entries } = await ledger.read();
  const open = openAmong(entries.values(), sender);
  for (const { id } of open) known.add(id);
  return open;
}

function openAmong(entries: Iterable<Entry>, sender: Sender): Entry[] {
  const since = sender.now().getTime() - lookedFor;
  const latest = new Map<string, Entry>();
  for (const entry of entries) {
    const isOurs =
      entry.origin === 'queue' && matchesFingerprint(entry.account ?? '', sender.account);
    if (isOurs && entry.state !== 'not done') latest.set(sameAction(entry), entry);
  }
  return [...latest.values()].filter(
    (entry) => isOpen(entry) && Date.parse(entry.sentAt ?? entry.at) >= since,
  );
}

/**
 * Looks for an action that an earlier session sent or was about to send, and records what it finds. An action that is not
 * found stays unknown: the request may never have left, or may still arrive. Throws an ApiError if it can't look.
 */
export async function resolveAction(
  { client, ledger, sender, verification }: ActionSender,
  entry: Entry,
): Promise<'done' | 'unknown'> {
  const operation = catalogue.find(({ command }) => command === entry.operation);
  if (!operation) return 'unknown';
  const { id, before } = entry;
  const args = (entry.args ?? {}) as Arguments;
  const passed = Math.max(0, sender.now().getTime() - Date.parse(entry.sentAt ?? entry.at));
  const { clock, wait } = verification;
  const query = { before, until: clock.now() + Math.max(0, wait - passed) };
  let { found } = await findWrite(client, operation, args, query, verification);
  const verifier = verifierOf(operation);
  if (!found && verifier) {
    // A search ignores reads that fail. If this one fails or is refused, nothing is known.
    const look = await verifier.look(client, args);
    if (!look || before === undefined || before === null) {
      throw new ApiError('refused', 'ClickBank does not show whether the write is done.');
    }
    found = look.find(args, before);
  }
  if (found) {
    const end = endLine(sender, { id, operation, args }, doneBy(found));
    await ledger.record({ ...end, why: 'A later look found it.' });
  } else if (entry.state === 'sending') {
    const why = 'cb was stopped, and a later look found nothing.';
    await ledger.record({ id, at: sender.now().toISOString(), state: 'unknown', why });
  }
  return found ? 'done' : 'unknown';
}
