/** Arguments of a tool as arguments of an operation: days as words, and the checks of the catalogue. */
import type { Day } from '../../dates/day.ts';
import { possibleDays } from '../../dates/words.ts';
import type { Finding } from '../../operations/finding.ts';
import type { Arguments, Operation, Params, Returns } from '../../operations/operation.ts';
import { validate } from '../../operations/validate.ts';
import { ToolError } from '../tool-error.ts';

/**
 * Takes the arguments that the operation knows. A day can be a word such as yesterday or -7d. Throws a ToolError that
 * names each wrong argument; nothing was sent.
 */
export function operationArguments<P extends Params, R extends Returns>(
  operation: Operation<P, R>,
  given: Readonly<Record<string, unknown>>,
  today: Day,
): Arguments<P> {
  const known = Object.entries(given).filter(([name]) => Object.hasOwn(operation.params, name));
  const args = Object.fromEntries(
    known.map(([name, value]) => {
      const param = operation.params[name];
      const isDay = param?.kind === 'date' && typeof value === 'string';
      return [name, isDay ? dayFrom(name, value, today, param.future) : value];
    }),
  );
  const problems = validate(operation, args, today).filter(({ weight }) => weight === 'problem');
  if (problems.length > 0) throw new ToolError(problems.map(sentenceOf).join(' '), nothingSent);
  return args as Arguments<P>;
}

const nothingSent = 'Nothing was sent. Correct the arguments and call the tool again.';

/** The first and the last day of a period; both days have a default. Throws a ToolError. */
export function periodFrom(
  given: Readonly<Record<string, unknown>>,
  today: Day,
  usual: readonly [first: string, last: string],
): { readonly first: Day; readonly last: Day } {
  const { startDate = usual[0], endDate = usual[1] } = given;
  const first = dayFrom('startDate', String(startDate), today);
  const last = dayFrom('endDate', String(endDate), today);
  if (last < first) throw new ToolError(`endDate must not be before startDate.`, nothingSent);
  return { first, last };
}

function dayFrom(name: string, value: string, today: Day, future = false): Day {
  const [day, other] = possibleDays(value, today, future ? 'future' : 'past');
  if (day !== undefined && other === undefined) return day;
  const hint = 'Use YYYY-MM-DD, today, yesterday, or an offset such as -7d. Days are Pacific days.';
  throw new ToolError(`Invalid ${name} '${value}'.`, hint);
}

function sentenceOf({ param, says }: Finding): string {
  const text = `${param ?? ''} ${says}.`.trim();
  // `{name}` in a text stands for a parameter.
  return text.replaceAll(/\{(\w+)\}/g, '$1');
}
