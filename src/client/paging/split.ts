/** Several values of a parameter of which the service takes one at a time: one request, or one list, for each. */
import type { Arguments, Operation } from '../../operations/operation.ts';

/** The parameter that was given several such values, if any. */
export function splitParameter({ params }: Operation, args: Arguments): string | undefined {
  const given: Readonly<Record<string, unknown>> = args;
  return Object.keys(params).find((name) => params[name]?.splits && isSeveral(given[name]));
}

/** The arguments of each request; the arguments themselves if one is enough. */
export function splitArguments(operation: Operation, args: Arguments): Arguments[] {
  const name = splitParameter(operation, args);
  if (name === undefined) return [args];
  const given: Readonly<Record<string, unknown>> = args;
  const values: readonly unknown[] = [given[name]].flat();
  return values.flatMap((value) => splitArguments(operation, { ...args, [name]: value }));
}

function isSeveral(value: unknown): boolean {
  return Array.isArray(value) && value.length > 1;
}
