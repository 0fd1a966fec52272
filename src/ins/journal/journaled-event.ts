/** An event as the journal keeps it. */
import { createHash } from 'node:crypto';
import { pacificTime } from '../../dates/pacific.ts';
import { blockSize } from '../cipher.ts';
import type { ExactObject } from '../event-text.ts';
import { readEventTime } from '../event-time.ts';

/** Where events go: `forward` is the receiver of the user, `exec` the command of the user. */
export const deliveryKinds = ['forward', 'exec'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

export interface NewEvent {
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly type: string;
  readonly receipt: string;
  /** `2026-02-18T15:11:38-0800`; empty if unknown. */
  readonly eventTime: string;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly vendor: string | null;
  /** The role of the account in the transaction. */
  readonly role: string | null;
  /** The decrypted JSON. */
  readonly text: string;
  /** As received, or as encrypted for a reconstructed event; null if there is no secret for one. */
  readonly body: string | null;
  readonly fingerprint: string;
  /** Not received, but made from an order that no notification came for. */
  readonly isReconstructed: boolean;
}

export interface EventSource {
  readonly exact: ExactObject;
  readonly text: string;
  readonly body: string | null;
  readonly receivedAt: number;
  readonly isReconstructed: boolean;
}

/** Longer texts are cut in columns; the JSON keeps them. */
const longest = 200;

export function journaledEvent({ exact, text, ...source }: EventSource): NewEvent {
  const trimmed = text.replace(/[\0-\x20]+$/, '');
  const type = columnOf(exact.transactionType) ?? '';
  const receipt = columnOf(exact.receipt) ?? '';
  return {
    ...source,
    text: trimmed,
    type,
    receipt,
    eventTime: readableTime(columnOf(exact.transactionTime) ?? ''),
    amount: columnOf(exact.totalOrderAmount),
    currency: columnOf(exact.currency),
    vendor: columnOf(exact.vendor),
    role: columnOf(exact.role),
    fingerprint: fingerprintOf(trimmed, type, receipt),
  };
}

/**
 * The same for every attempt to deliver an event, which differ only in `attemptCount` and in their encryption. It leaves
 * out the first block, which anybody who saw a notification can change by changing its IV, without the secret.
 */
function fingerprintOf(text: string, type: string, receipt: string): string {
  const bytes = Buffer.from(text.replaceAll(/"attemptCount"\s*:\s*[\d.]+/g, '"attemptCount":'));
  const hash = createHash('sha256').update(JSON.stringify([type, receipt]));
  return hash.update(bytes.length > blockSize ? bytes.subarray(blockSize) : bytes).digest('hex');
}

function columnOf(value: unknown): string | null {
  if (value === undefined || value === null || Array.isArray(value)) return null;
  return String(value).slice(0, longest);
}

/** A time in either form as Pacific time, `2026-02-18T15:11:38-0800`; empty for another text. */
function readableTime(time: string): string {
  const instant = readEventTime(time);
  return instant === undefined ? '' : pacificTime(instant).replace(/:(\d\d)$/, '$1');
}
