/** Validates arguments by the allowed values, bounds and patterns of their parameters. */
import { endOf, instantOf } from '../../dates/pacific.ts';
import type { Param, Params } from '../../operations/operation.ts';
import { assertOr } from './refusal.ts';

function assertOne(name: string, { values, min, max, pattern }: Param, value: unknown): void {
  const allowed = values && Object.keys(values);
  const fits = !allowed || allowed.includes(String(value));
  assertOr(fits, 400, `The parameter ${name} must be one of ${allowed?.join(', ')}.`);
  const number = Number(value);
  assertOr(
    min === undefined || number >= min,
    400,
    `The parameter ${name} must be at least ${min}.`,
  );
  assertOr(
    max === undefined || number <= max,
    400,
    `The parameter ${name} must be at most ${max}.`,
  );
  const matches = !pattern || pattern.matches.test(String(value));
  assertOr(matches, 400, `The parameter ${name} must be ${pattern?.says}.`);
}

/** Refuses the first invalid argument with 400. */
export function assertFacts(params: Params, args: Readonly<Record<string, unknown>>): void {
  for (const [name, param] of Object.entries(params)) {
    const value = args[name];
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) assertOne(name, param, one);
  }
}

/** Refuses an end date before the start date with 400. */
export function assertOrder(startDate: string | undefined, endDate: string | undefined): void {
  const backwards = startDate !== undefined && endDate !== undefined && endDate < startDate;
  assertOr(!backwards, 400, 'The parameter endDate must not lie before startDate.');
}

interface Days {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** Returns the instants of a period of Pacific days, both included; an absent day leaves its end open. */
export function readDays({ startDate, endDate }: Days) {
  assertOrder(startDate, endDate);
  return {
    from: startDate === undefined ? undefined : instantOf(startDate),
    until: endDate === undefined ? undefined : endOf(endDate),
  };
}
