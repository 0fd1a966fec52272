/** Parses a list of faults of notifications such as `duplicate=10%,cut=#1,only=RFND`. */
import { parseDuration } from '../../dates/duration.ts';
import { BadFaults, wholeOf } from './fault-list.ts';

/** Only the first of these that is chosen applies to a request. */
const endings = ['cut', 'timeout', 'drop'] as const;
const kinds = ['duplicate', 'reorder', 'delay', 'wrong-key', ...endings] as const;

export type DeliveryFaultKind = (typeof kinds)[number];

export const isEnding = (kind: DeliveryFaultKind) => endings.some((ending) => ending === kind);

/** These concern when a notification is sent, so they are chosen before its first attempt only. */
export const isHolding = (kind: DeliveryFaultKind) => kind === 'delay' || kind === 'reorder';

export interface DeliveryFault {
  /** As typed, without blanks. */
  readonly text: string;
  readonly kind: DeliveryFaultKind;
  /** The share of the deliveries that it applies to, from 0 to 1; or to this number of the next ones. */
  readonly share?: number;
  readonly next?: number;
  /** Seconds on the sandbox's clock. */
  readonly delay: number;
}

export interface DeliveryFaults {
  readonly text: string;
  readonly seed: number;
  /** Types of transactions; empty for all. */
  readonly only: ReadonlySet<string>;
  readonly each: readonly DeliveryFault[];
}

const HOUR = 3_600_000;

/** Throws BadFaults, which names the invalid part. */
export function parseDeliveryFaults(list: string): DeliveryFaults {
  const parts = list.split(',').map((part) => part.replaceAll(/\s/g, ''));
  const only = new Set<string>();
  const each: DeliveryFault[] = [];
  let seed = 1;
  for (const part of parts) {
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(part) ?? [];
    if (name === 'only') only.add(value.toUpperCase());
    else if (name === 'seed') seed = wholeOf(part, value, 0, 2_147_483_647);
    else each.push(faultOf(part, name, value));
  }
  if (each.length === 0) throw new BadFaults(list, 'contains no fault.');
  return { text: parts.join(','), seed, only, each };
}

function faultOf(text: string, name: string, value: string): DeliveryFault {
  const kind = kinds.find((one) => one === name);
  if (!kind) {
    throw new BadFaults(text, `is not a fault. Use one of ${kinds.join(', ')}, only, seed.`);
  }
  const [, when = value, time] = (kind === 'delay' && /^(.+):(.*)$/.exec(value)) || [];
  return { text, kind, ...frequencyOf(text, when), delay: delayOf(text, time ?? '1h') };
}

function frequencyOf(part: string, value: string): Pick<DeliveryFault, 'share' | 'next'> {
  const percent = Number(/^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(value)?.[1]);
  if (percent <= 100) return { share: percent / 100 };
  const next = Number(/^#(\d{1,9})$/.exec(value)?.[1]);
  if (next > 0) return { next };
  throw new BadFaults(part, 'has an invalid frequency. Use 10% or #3 (the next three).');
}

function delayOf(part: string, value: string): number {
  const milliseconds = parseDuration(value);
  if (milliseconds !== undefined && milliseconds >= 1000 && milliseconds <= 24 * 30 * HOUR) {
    return Math.floor(milliseconds / 1000);
  }
  throw new BadFaults(part, 'has an invalid time. Use a time such as 30m or 2h, up to 30d.');
}
