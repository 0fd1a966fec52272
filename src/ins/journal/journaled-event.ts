/** An event as the journal keeps it. */
import { createHash } from 'node:crypto';
import { stringify } from 'lossless-json';
import type { ExactObject } from '../event-text.ts';

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
  return {
    ...source,
    text: text.replace(/[\0-\x20]+$/, ''),
    type: columnOf(exact.transactionType) ?? '',
    receipt: columnOf(exact.receipt) ?? '',
    eventTime: readableTime(columnOf(exact.transactionTime) ?? ''),
    amount: columnOf(exact.totalOrderAmount),
    currency: columnOf(exact.currency),
    vendor: columnOf(exact.vendor),
    role: columnOf(exact.role),
    fingerprint: fingerprintOf(exact),
  };
}

/** The same for every attempt to deliver an event, which differ only in `attemptCount` and in their encryption. */
function fingerprintOf({ attemptCount: _, ...event }: ExactObject): string {
  return createHash('sha256')
    .update(stringify(event) ?? '')
    .digest('hex');
}

function columnOf(value: unknown): string | null {
  if (value === undefined || value === null || Array.isArray(value)) return null;
  return String(value).slice(0, longest);
}

/** `20260218T151138-0800` as `2026-02-18T15:11:38-0800`; empty for another text. */
function readableTime(compact: string): string {
  const [, year, month, day, hour, minute, second, offset] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)([+-]\d{4})$/.exec(compact) ?? [];
  if (year === undefined) return '';
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`;
}
