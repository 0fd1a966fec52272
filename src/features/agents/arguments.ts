/** The arguments that an agent passes, as those of an operation. */

import type { Day } from '../../dates/day.ts';
import { dayForms, type Period, parsePeriod, possibleDays } from '../../dates/words.ts';
import type { Arguments, Operation, Param, Params, Returns } from '../../operations/operation.ts';
import { problemsIn, validate } from '../../operations/validate.ts';
import { receiptFrom } from '../../shell/options/values.ts';
import { ToolError } from './tool.ts';

/**
 * Takes the arguments that the operation knows. A day can be a word such as yesterday or -7d, and a first day a period
 * such as last-month. Throws a ToolError that names each wrong argument; nothing was sent.
 */
export function operationArguments<P extends Params, R extends Returns>(
  operation: Operation<P, R>,
  given: Readonly<Record<string, unknown>>,
  today: Day,
): Arguments<P> {
  const { params } = operation;
  const args: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const param = params[name];
    if (!param) continue;
    if (param.names === 'receipt' && typeof value === 'string') args[name] = receiptFrom(value);
    else if (param.kind !== 'date' || typeof value !== 'string') args[name] = value;
    else
      Object.assign(args, dayArguments(params, given, name, daysFrom(name, value, today, param)));
  }
  const { message } = problemsIn(validate(operation, args, today));
  if (message !== '') throw new ToolError(message, nothingSent);
  return args as Arguments<P>;
}

/** A period is also its last day, if none is given. */
function dayArguments(params: Params, given: object, name: string, { first, last }: Period) {
  const range = params[name]?.range;
  if (range?.end === 'last') return { [name]: last };
  const [other] = Object.keys(params).filter((key) => {
    const { range: its } = params[key] ?? {};
    return its?.name === range?.name && its?.end === 'last' && !Object.hasOwn(given, key);
  });
  const isPeriod = range !== undefined && first !== last && other !== undefined;
  return { [name]: first, ...(isPeriod && { [other]: last }) };
}

export const nothingSent = 'Nothing was sent. Correct the arguments and call the tool again.';

/** The first and the last day of a period; both days have a default. Throws a ToolError. */
export function periodFrom(
  { startDate, endDate }: Readonly<Record<string, unknown>>,
  today: Day,
  usual: readonly [first: string, last: string],
): Period {
  const given = daysFrom('startDate', String(startDate ?? usual[0]), today, aRange);
  const isPeriod = startDate !== undefined && given.first !== given.last;
  const { last } =
    isPeriod && endDate === undefined
      ? given
      : daysFrom('endDate', String(endDate ?? usual[1]), today, aRange);
  const reversed = `endDate (${last}) must not be before startDate (${given.first}).`;
  if (last < given.first) throw new ToolError(reversed, nothingSent);
  return { first: given.first, last };
}

const aRange = { range: { name: 'date', end: 'first' } } as const;

function daysFrom(
  name: string,
  value: string,
  today: Day,
  { future = false, range }: Pick<Param, 'future' | 'range'>,
): Period {
  const [day, other] = possibleDays(value, today, future ? 'future' : 'past');
  if (day !== undefined && other === undefined) return { first: day, last: day };
  const period = range && other === undefined ? parsePeriod(value, today) : undefined;
  if (period) return period;
  const periods = range ? ' A period such as last-month or 2026-10 is a startDate, too.' : '';
  const hint = `Use ${dayForms}. Days are Pacific days.${periods}`;
  throw new ToolError(`Invalid ${name} '${value}'.`, hint);
}
