/**
 * The sales after the seed, invented day by day with the generators of the seed. A day depends on
 * the random seed and its date only, so that it does not matter in which steps the clock gets there.
 */
import { addDays } from '../../dates/day.ts';
import { instantOf, pacificDay } from '../../dates/pacific.ts';
import { fixedReceipts } from './landmarks.ts';
import { hash, randomFrom } from './random.ts';
import { receiptOrigin, receiptOriginOn, receiptsAfter } from './receipts.ts';
import { inventSale, inventUpsells, timeOn } from './sales.ts';
import type { Story } from './story.ts';

/** How much is sold, and out of which random numbers. */
export interface SalesPlan {
  readonly randomSeed: number;
  readonly salesPerDay: number;
}

/** A sale followed by its upsells, which name no parent yet. */
export interface NewSale {
  /** When the last of them is paid. */
  readonly at: number;
  readonly stories: readonly [Story, ...Story[]];
}

/** A busy day sells up to 40 % more than usual, a quiet day up to 40 % less. */
const VARIATION = 0.4;
/** Seconds between two sales: an order with its upsells is complete before the next one begins. */
const GAP = 5;
/** Days to look ahead for the next sale; a sandbox that sells less than that sells nothing. */
const HORIZON_DAYS = 1000;

/** Returns the sales of a Pacific day in the order of time. */
function salesOn(day: string, { randomSeed, salesPerDay }: SalesPlan): NewSale[] {
  const random = randomFrom(hash(`${randomSeed} ${day}`));
  const origin = receiptOriginOn(receiptOrigin(randomFrom(randomSeed)), instantOf(day));
  const next = receiptsAfter(origin, fixedReceipts(day));
  const expected = salesPerDay * (1 - VARIATION + 2 * VARIATION * random.fraction());
  const count = Math.floor(expected) + Number(random.chance(expected % 1));
  const sales = Array.from({ length: count }, (): NewSale => {
    const at = timeOn(random, day, Number.POSITIVE_INFINITY);
    const { status: _billingDecides, ...sale } = inventSale(random, next(), at);
    const upsells = inventUpsells(random, sale, next);
    return { at: upsells.at(-1)?.at ?? at, stories: [sale, ...upsells] };
  });
  return apart(sales.sort((a, b) => a.at - b.at));
}

/** Skips sales within seconds of another sale. */
function apart(sales: readonly NewSale[]): NewSale[] {
  const kept: NewSale[] = [];
  for (const sale of sales) {
    if (sale.at - (kept.at(-1)?.at ?? 0) >= GAP) kept.push(sale);
  }
  return kept;
}

/** Finds sales by time. Keeps the sales of the last day that was asked for. */
export function upcomingSales(plan: SalesPlan) {
  let known: { readonly day: string; readonly sales: readonly NewSale[] } | undefined;

  function on(day: string): readonly NewSale[] {
    if (known?.day !== day) known = { day, sales: salesOn(day, plan) };
    return known.sales;
  }

  return {
    at: (instant: number) => on(pacificDay(instant)).find(({ at }) => at === instant),
    /** When the first sale after an instant is complete; undefined if nothing is sold any more. */
    after(instant: number): number | undefined {
      const first = pacificDay(instant);
      if (plan.salesPerDay <= 0) return undefined;
      for (let days = 0; days < HORIZON_DAYS; days += 1) {
        const sale = on(addDays(first, days)).find(({ at }) => at > instant);
        if (sale) return sale.at;
      }
      return undefined;
    },
  };
}
