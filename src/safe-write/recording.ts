/** Records writes in a ledger, before and after they are sent. */
import { createHmac, randomUUID } from 'node:crypto';
import { reasonOf } from '../client/workflow-error.ts';
import {
  type Entry,
  type EntryState,
  type Json,
  type Line,
  sealedArguments,
  withoutTexts,
} from '../ledger/entry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Account, createFingerprint } from '../storage/fingerprint.ts';
import type { Recorded, RecordWrite, WriteOutcome } from './safe-write.ts';
import type { Snapshot } from './verifier.ts';

/** What a ledger knows about the sender of a write. */
export interface Sender extends Pick<Entry, 'origin' | 'service' | 'by' | 'sentFrom'> {
  readonly account: Account;
  now(): Date;
}

export function recordIn(ledger: Ledger, sender: Sender): RecordWrite {
  return async (operation, args, before) => {
    const id = randomUUID();
    await ledger.record(sendingLine(sender, { id, operation, args, before: before ?? null }));
    return async (outcome) => {
      await ledger.record(endLine(sender, { id, operation, args }, outcome));
    };
  };
}

interface Write {
  readonly id: string;
  readonly operation: Recorded;
  readonly args: object;
}

/** The line before a write is sent, with all that is needed to look for it later. */
export function sendingLine(
  { account, now, origin, service, by, sentFrom }: Sender,
  { id, operation, args, before }: Write & { readonly before: Snapshot },
): Line {
  const about = subjectOf(args);
  return {
    ...{ id, at: now().toISOString(), state: 'sending', operation: operation.command },
    ...(origin && { origin }),
    ...(about !== undefined && { about }),
    ...(service !== undefined && { service }),
    ...(by !== undefined && { by }),
    ...(sentFrom && { sentFrom }),
    ...{ account: createFingerprint(account), args: { ...args } as Entry['args'] & {}, before },
  };
}

/** The line with the outcome. If it is certain, names, addresses and comments stay only as a hash. */
export function endLine(
  { account, now }: Pick<Sender, 'account' | 'now'>,
  { id, operation, args }: Write,
  outcome: WriteOutcome,
): Line {
  const { state, why, ...snapshot } = endOf(outcome);
  const hash = (text: string) =>
    `hmac-sha256:${createHmac('sha256', account.key).update(text).digest('hex')}`;
  return {
    ...{ id, at: now().toISOString(), state, ...snapshot },
    ...(outcome.state === 'done' && refundOf(args, outcome.result)),
    ...(why && { why: state === 'unknown' ? why : withoutTexts(why, operation, args) }),
    ...(state !== 'unknown' && { args: sealedArguments(operation, args, hash) }),
  };
}

/** The amount of a refund that is done, as its ticket has it: in the currency of the customer, which it doesn't name. */
export function refundOf(
  { type }: { readonly type?: unknown },
  { reply }: { readonly reply?: unknown },
): Pick<Entry, 'amount'> {
  if (type !== 'rfnd' && type !== 'cncl') return {};
  const { refundAmount } = (reply ?? {}) as { readonly refundAmount?: unknown };
  return refundAmount == null ? {} : { amount: String(refundAmount) };
}

/** The state of a write that was sent, and why it is so; without the snapshot that would make a later look find it. */
export function endOf(outcome: WriteOutcome): WriteEnd {
  if (outcome.state === 'unknown') {
    const { cause, isUnsure } = outcome;
    return { state: 'unknown', why: reasonOf(cause), ...(isUnsure && { before: null }) };
  }
  if (outcome.state === 'not-done') return { state: 'not done', why: reasonOf(outcome.cause) };
  const isVerified = outcome.result.how === 'verified';
  return {
    state: 'done',
    why: isVerified ? 'The response was unclear, but a check found it.' : '',
  };
}

interface WriteEnd {
  readonly state: EndState;
  readonly why: string;
  readonly before?: null;
}

export type EndState = Extract<EntryState, 'done' | 'not done' | 'unknown'>;

/** The receipt, ticket ID or SKU that a write is about. */
export function subjectOf(args: object): string | undefined {
  const { receipt, id, sku } = args as Readonly<Record<string, Json | undefined>>;
  const subject = receipt ?? id ?? sku;
  return subject === undefined ? undefined : String(subject);
}
