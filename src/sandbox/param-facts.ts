/** Holds arguments against the facts of their parameters: allowed values, bounds, patterns. */

import { endOf, instantOf } from '../dates/pacific.ts';
import type { Param, Params } from '../operations/operation.ts';
import { insist } from './refusal.ts';

function insistOne(name: string, { values, min, max, pattern }: Param, value: unknown): void {
  const allowed = values && Object.keys(values);
  const fits = !allowed || allowed.includes(String(value));
  insist(fits, 400, `The parameter ${name} must be one of ${allowed?.join(', ')}.`);
  const number = Number(value);
  insist(min === undefined || number >= min, 400, `The parameter ${name} must be at least ${min}.`);
  insist(max === undefined || number <= max, 400, `The parameter ${name} must be at most ${max}.`);
  const matches = !pattern || pattern.matches.test(String(value));
  insist(matches, 400, `The parameter ${name} must be ${pattern?.says}.`);
}

/** 400 for the first argument that its parameter doesn't allow. */
export function insistFacts(params: Params, args: Readonly<Record<string, unknown>>): void {
  for (const [name, param] of Object.entries(params)) {
    const value = args[name];
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) insistOne(name, param, one);
  }
}

/** 400 where two days are the wrong way round; an absent one is open. */
export function insistOrder(startDate: string | undefined, endDate: string | undefined): void {
  const backwards = startDate !== undefined && endDate !== undefined && endDate < startDate;
  insist(!backwards, 400, 'The parameter endDate must not lie before startDate.');
}

interface Days {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** The instants of Pacific days, both included; an absent one leaves its end open. */
export function readDays({ startDate, endDate }: Days) {
  insistOrder(startDate, endDate);
  return {
    from: startDate === undefined ? undefined : instantOf(startDate),
    until: endDate === undefined ? undefined : endOf(endDate),
  };
}
