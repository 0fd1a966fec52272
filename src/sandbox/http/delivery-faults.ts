/** Faults of notifications on demand, which are stored with the sandbox. */
import { parseDuration } from '../../dates/duration.ts';
import type { Database } from '../../storage/sqlite.ts';
import { SENT_TYPES } from '../notifications/record.ts';
import type { Delivery } from '../store/notification.ts';
import { readText, writeSetting } from '../store/store.ts';
import {
  applies,
  BadFaults,
  drawFraction,
  type Frequency,
  frequencyOf,
  type Part,
  parseList,
  saveFaults,
  tookOf,
} from './faults.ts';

export type ChosenFaults = ReadonlyMap<DeliveryFaultKind, DeliveryFault>;

/** How often each fault was chosen, in the order of the faults. */
const timesOf = (db: Database): number[] => JSON.parse(readText(db, 'insFaultProgress') ?? '[]');

function currentFaults(db: Database) {
  const text = readText(db, 'insFaults');
  return text === undefined ? undefined : parseDeliveryFaults(text);
}

/** Chooses the faults of the next attempt, and counts them. The test notification has none. */
export function chooseDeliveryFaults(
  db: Database,
  { id, type, attempts, held }: Pick<Delivery, 'id' | 'type' | 'attempts' | 'held'>,
): ChosenFaults {
  const faults = type === 'TEST' ? undefined : currentFaults(db);
  if (!faults || (faults.only.size > 0 && !faults.only.has(type))) return new Map();
  return db.immediately(() => {
    const times = timesOf(db);
    const choose = (isHeldBack: boolean) => {
      const chosen = new Map<DeliveryFaultKind, DeliveryFault>();
      for (const [i, fault] of faults.each.entries()) {
        const { kind } = fault;
        if (isHolding(kind) !== isHeldBack) continue;
        if (isEnding(kind) && [...chosen.keys()].some(isEnding)) continue;
        const before = times[i] ?? 0;
        const drawn = drawFraction(faults.seed, id * 10 + attempts, kind);
        if (!applies(fault, drawn, before)) continue;
        times[i] = before + 1;
        chosen.set(kind, fault);
      }
      return chosen;
    };
    // A delivery that is held is chosen for the other faults later.
    const holding = attempts === 0 && held === 0 ? choose(true) : new Map();
    const chosen = holding.size > 0 ? holding : choose(false);
    writeSetting(db, 'insFaultProgress', JSON.stringify(times));
    return chosen;
  });
}

export function setDeliveryFaults(db: Database, list: string | undefined): void {
  saveFaults(db, 'insFaults', list, parseDeliveryFaults);
}

/** The faults as set (null for none), and how often each was chosen. */
export function deliveryFaultsStatus(db: Database) {
  const { text = null, each = [] } = currentFaults(db) ?? {};
  return { faults: text, took: tookOf(each, timesOf(db)) };
}

/** Only the first of these that is chosen applies to a request. */
const endings = ['cut', 'timeout', 'drop'] as const;
const kinds = ['duplicate', 'reorder', 'delay', 'wrong-key', ...endings] as const;

export type DeliveryFaultKind = (typeof kinds)[number];

const isEnding = (kind: DeliveryFaultKind) => endings.some((ending) => ending === kind);

/** These concern when a notification is sent, so they are chosen before its first attempt only. */
const isHolding = (kind: DeliveryFaultKind) => kind === 'delay' || kind === 'reorder';

export interface DeliveryFault extends Frequency {
  readonly kind: DeliveryFaultKind;
  /** Seconds on the sandbox's clock. */
  readonly delay: number;
}

/** In milliseconds. */
const LONGEST_DELAY = 30 * 24 * 3_600_000;

/** Parses a list such as `duplicate=10%,cut=#1,only=RFND`. Throws BadFaults. */
const parseDeliveryFaults = (list: string) => parseList(list, faultOf, scope);
const scope = { names: SENT_TYPES, says: `is not a type. Use ${SENT_TYPES.join(', ')}.` };

function faultOf({ text, name, value }: Part): DeliveryFault {
  const kind = kinds.find((one) => one === name);
  if (!kind) {
    throw new BadFaults(text, `is not a fault. Use one of ${kinds.join(', ')}, only, seed.`);
  }
  const [, when = value, time = '1h'] = (kind === 'delay' && /^(.+):(.*)$/.exec(value)) || [];
  const frequency = frequencyOf(text, when, false);
  const milliseconds = parseDuration(time) ?? 0;
  if (milliseconds < 1000 || milliseconds > LONGEST_DELAY) {
    throw new BadFaults(text, 'has an invalid time. Use a time such as 30m or 2h, up to 30d.');
  }
  return { kind, ...frequency, delay: Math.floor(milliseconds / 1000) };
}
