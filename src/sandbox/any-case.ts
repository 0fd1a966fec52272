/** The live service takes the paths and enumerated values of analytics in upper, lower or mixed case. */
import type { Operation, Param } from '../operations/operation.ts';

/** Whether the case of letters is ignored in the path and in the enumerated values of an operation. */
export function ignoresCase({ path }: Pick<Operation, 'path'>): boolean {
  return path.startsWith('/1.3/analytics/');
}

/** The value of a choice as the specification spells it; an unknown text is returned unchanged. */
export function canonicalChoice({ values = {} }: Param, text: string): string {
  const wanted = text.toUpperCase();
  return Object.keys(values).find((value) => value.toUpperCase() === wanted) ?? text;
}
