/** The deliveries to one URL that are due: which one comes next, and which ones wait. */
import type { Database } from '../../storage/sqlite.ts';
import { type ChosenFaults, chooseDeliveryFaults } from '../faults/delivery-faults.ts';
import { type Delivery, findDue, holdDelivery } from '../store/notifications/delivery.ts';

/** Attempts at the same time. Events of the same purchase are sent one after the other. */
const MOST_IN_FLIGHT = 8;
/** Deliveries to look at, of which some may have to wait. */
const LOOKAHEAD = 64;

const NO_FAULTS: ChosenFaults = new Map();

export interface Queue {
  /** The next delivery to attempt; undefined if there is none, or too many are in flight. */
  next(now: number, isDraining: boolean): { delivery: Delivery; faults: ChosenFaults } | undefined;
  /** Runs an attempt of a delivery. */
  start(delivery: Delivery, work: Promise<void>): void;
  /** Resolves when an attempt ends; false if none is in flight. Rejects with the error of an attempt. */
  ended(): Promise<boolean>;
  /** Resolves when no attempt is in flight. */
  allEnded(): Promise<void>;
}

export function queueOf(db: Database, urlId: number): Queue {
  const inFlight = new Map<Delivery, Promise<void>>();
  /** The delivery that the fault `reorder` lets others overtake. */
  let overtaken: number | undefined;

  function mustWait({ id, purchaseId }: Delivery): boolean {
    return [...inFlight.keys()].some(
      (other) => other.id === id || (purchaseId !== null && other.purchaseId === purchaseId),
    );
  }

  /** Returns true if a fault holds the delivery back. */
  function hold({ id }: Delivery, faults: ChosenFaults): boolean {
    const delay = faults.get('delay')?.delay;
    const isOvertaken = faults.has('reorder') && overtaken === undefined;
    if (delay === undefined && !isOvertaken) return false;
    holdDelivery(db, id, delay ?? 0);
    if (delay === undefined) overtaken = id;
    return true;
  }

  return {
    next(now, isDraining) {
      if (inFlight.size >= MOST_IN_FLIGHT) return undefined;
      let last: Delivery | undefined;
      for (const delivery of findDue(db, urlId, now, LOOKAHEAD)) {
        if (mustWait(delivery)) continue;
        if (delivery.id === overtaken) last = delivery;
        else {
          const faults = chooseDeliveryFaults(db, delivery);
          if (!hold(delivery, faults)) return { delivery, faults };
          if (delivery.id === overtaken) last = delivery;
        }
      }
      // Nothing can overtake it.
      const isAlone = last !== undefined && isDraining && inFlight.size === 0;
      return isAlone && last ? { delivery: last, faults: NO_FAULTS } : undefined;
    },
    start(delivery, work) {
      const done = work.finally(() => {
        inFlight.delete(delivery);
        if (overtaken !== undefined && delivery.id >= overtaken) overtaken = undefined;
      });
      // Whoever waits for it gets the error.
      done.catch(() => undefined);
      inFlight.set(delivery, done);
    },
    async ended() {
      if (inFlight.size === 0) return false;
      await Promise.race(inFlight.values());
      return true;
    },
    async allEnded() {
      await Promise.allSettled(inFlight.values());
    },
  };
}
