/** The values of the parameters of a query. */
import type { Parameter } from '../../workflows/sync/query/queries.ts';
import type { Statement } from '../../workflows/sync/query/statement.ts';
import { nearest } from '../flags/nearest.ts';
import { usage } from '../runtime/failure.ts';

const integer = /^-?(?:0|[1-9]\d{0,17})$/;
const decimal = /^-?(?:0|[1-9]\d*)\.\d+$/;

/** Other numbers, such as 007 and 1E5, are IDs, which are text. */
function parameterFrom(typed: string): Parameter {
  if (typed === 'null') return null;
  if (integer.test(typed)) return BigInt(typed);
  return decimal.test(typed) ? Number(typed) : typed;
}

/** Returns a value for each question mark of the statement. Throws a usage failure if a value is missing or not used. */
export function valuesFor(
  { parameters }: Statement,
  positional: readonly string[],
  named: readonly string[],
): readonly Parameter[] {
  const byName = new Map(named.map(pairFrom));
  const names = [...new Set(parameters.filter((one) => typeof one === 'string'))];
  const unused = [...byName.keys()].find((name) => !names.includes(name));
  if (unused !== undefined) {
    const near = nearest(unused, names);
    const known = names.map((name) => `:${name}`).join(', ');
    throw usage(`--param ${unused} is not in the query.`, {
      hint: near
        ? `Did you mean ${near}?`
        : known === ''
          ? `Write :${unused} in the query.`
          : `The query has ${known}.`,
    });
  }
  const positions = Math.max(0, ...parameters.filter((one) => typeof one === 'number'));
  if (positional.length > positions) {
    throw usage(`The query has ${positions} ?, but ${positional.length} values were given.`, {
      hint: 'Quote the query as one word.',
    });
  }
  return parameters.map((parameter) => {
    const typed = typeof parameter === 'number' ? positional[parameter - 1] : byName.get(parameter);
    if (typed !== undefined) return parameterFrom(typed);
    if (typeof parameter === 'number') {
      throw usage(`The value of ? number ${parameter} is missing.`, {
        hint: 'Add it after the query.',
      });
    }
    throw usage(`The value of :${parameter} is missing.`, {
      hint: `Add --param ${parameter}=value.`,
    });
  });
}

function pairFrom(typed: string): readonly [string, string] {
  const [, name, value] = /^[:@$]?(\w+)=(.*)$/s.exec(typed) ?? [];
  if (name === undefined || value === undefined) {
    throw usage(`Invalid --param '${typed}'.`, {
      hint: 'Use a name and a value, as in day=today.',
    });
  }
  return [name, value];
}
