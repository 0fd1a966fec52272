/** Colors of tables and cards. */
import { type Color, paint } from '../paint.ts';

export interface Style {
  /** Dims headings and labels. */
  readonly label: (text: string) => string;
  /** Colors a text that is exactly one of the service's statuses or kinds of transactions. */
  readonly value: (text: string) => string;
}

/** Red: money was lost or something failed. Yellow: money was returned, or somebody must act. */
const meanings: Readonly<Partial<Record<Color, readonly string[]>>> = {
  green: ['ACTIVE', 'APPROVED', 'COMPLETED', 'GREEN', 'REFUNDABLE'],
  yellow: [
    ...['ACTION_REQUIRED', 'APPROVAL_REQUIRED', 'HAS_OPEN_REFUND', 'OPEN', 'PENDING'],
    ...['PENDING_APPROVAL', 'REFUND', 'REOPENED', 'RFND', 'SUGGESTED_REFUND_BLOCK', 'TEST_RFND'],
    ...['UNDER_REVIEW', 'YELLOW'],
  ],
  red: [
    ...['ALREADY_REFUNDED', 'AUTHORIZATION_FAILURE', 'CANCELED', 'CGBK', 'DISAPPROVED', 'INACTIVE'],
    ...['INSF', 'RED', 'REFUND_BLOCKED', 'UNREFUNDABLE', 'VALIDATION_FAILURE'],
  ],
  dim: ['CLOSED', 'EXPIRED'],
};

export function styleFor(color: boolean | undefined): Style {
  if (!color) return { label: (text) => text, value: (text) => text };
  return {
    label: (text) => paint('dim', text),
    value: (text) => {
      const found = /^[A-Z_]+$/.test(text) ? colorOf.get(text) : undefined;
      return found ? paint(found, text) : text;
    },
  };
}

const colorOf = new Map(
  Object.entries(meanings).flatMap(([color, texts]) =>
    texts.map((text) => [text, color as Color] as const),
  ),
);
