/** Faults of notifications on demand, which are stored with the sandbox. */
import type { Database } from '../../storage/sqlite.ts';
import { deleteSetting, readText, writeSetting } from '../store/setting.ts';
import {
  type DeliveryFault,
  type DeliveryFaultKind,
  type DeliveryFaults,
  isEnding,
  isHolding,
  parseDeliveryFaults,
} from './delivery-fault-list.ts';
import { drawFraction } from './faults.ts';

/** How often each fault was chosen, in the order of the faults. */
type Times = readonly number[];

/** The faults of one attempt, by their kinds. */
export type ChosenFaults = ReadonlyMap<DeliveryFaultKind, DeliveryFault>;

const NO_FAULTS: ChosenFaults = new Map();

/** The delivery that a fault may apply to. */
interface Attempted {
  readonly id: number;
  readonly type: string;
  readonly attempts: number;
  readonly held: number;
}

export interface DeliveryFaultsStatus {
  /** As set; null if there are none. */
  readonly faults: string | null;
  readonly took: readonly { readonly fault: string; readonly times: number }[];
}

function timesOf(db: Database, { each }: DeliveryFaults): number[] {
  const stored: Times = JSON.parse(readText(db, 'insFaultProgress') ?? '[]');
  return each.map((_, i) => stored[i] ?? 0);
}

function currentFaults(db: Database): DeliveryFaults | undefined {
  const text = readText(db, 'insFaults');
  return text === undefined ? undefined : parseDeliveryFaults(text);
}

/** A delivery that is held is chosen for the other faults later. */
function choose(faults: DeliveryFaults, times: number[], delivery: Attempted): ChosenFaults {
  const isFirst = delivery.attempts === 0 && delivery.held === 0;
  const holding = chooseAmong(faults, times, delivery, (kind) => isFirst && isHolding(kind));
  if (holding.size > 0) return holding;
  return chooseAmong(faults, times, delivery, (kind) => !isHolding(kind));
}

/** Counts the chosen faults in `times`. */
function chooseAmong(
  faults: DeliveryFaults,
  times: number[],
  delivery: Attempted,
  isMeant: (kind: DeliveryFaultKind) => boolean,
): ChosenFaults {
  const chosen = new Map<DeliveryFaultKind, DeliveryFault>();
  for (const [i, fault] of faults.each.entries()) {
    const { kind, next, share = 0 } = fault;
    if (!isMeant(kind)) continue;
    if (isEnding(kind) && [...chosen.keys()].some(isEnding)) continue;
    const before = times[i] ?? 0;
    const draw = () => drawFraction(faults.seed, delivery.id * 10 + delivery.attempts, kind);
    if (next === undefined ? draw() >= share : before >= next) continue;
    times[i] = before + 1;
    chosen.set(kind, fault);
  }
  return chosen;
}

/** Chooses the faults of the next attempt, and counts them. The test notification has none. */
export function chooseDeliveryFaults(db: Database, delivery: Attempted): ChosenFaults {
  const faults = delivery.type === 'TEST' ? undefined : currentFaults(db);
  if (!faults || (faults.only.size > 0 && !faults.only.has(delivery.type))) {
    return NO_FAULTS;
  }
  return db.immediately(() => {
    const times = timesOf(db, faults);
    const chosen = choose(faults, times, delivery);
    writeSetting(db, 'insFaultProgress', JSON.stringify(times));
    return chosen;
  });
}

/** Sets or clears the faults. Throws BadFaults. */
export function setDeliveryFaults(db: Database, list: string | undefined): void {
  const text = list === undefined ? undefined : parseDeliveryFaults(list).text;
  db.immediately(() => {
    deleteSetting(db, 'insFaultProgress');
    if (text === undefined) deleteSetting(db, 'insFaults');
    else writeSetting(db, 'insFaults', text);
  });
}

export function deliveryFaultsStatus(db: Database): DeliveryFaultsStatus {
  const faults = currentFaults(db);
  if (!faults) return { faults: null, took: [] };
  const times = timesOf(db, faults);
  const took = faults.each.map(({ text }, i) => ({ fault: text, times: times[i] ?? 0 }));
  return { faults: faults.text, took };
}
