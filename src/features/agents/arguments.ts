/**
 * The arguments and results of tools, from the parameters and resources of the catalogue: their schemas, and their
 * checks.
 */

import type { Day } from '../../dates/day.ts';
import { dayForms, type Period, parsePeriod, possibleDays } from '../../dates/words.ts';
import type { Arguments, Operation, Param, Params, Returns } from '../../operations/operation.ts';
import type { Resource } from '../../operations/resource.ts';
import { validate } from '../../operations/validate.ts';
import { type ObjectSchema, type Schema, ToolError } from './tool.ts';

export const text = (description?: string): Schema => ({
  type: 'string',
  ...(description !== undefined && { description }),
});
export const count: Schema = { type: 'integer' };
export const yesNo: Schema = { type: 'boolean' };
export const listOf = (items: Schema): Schema => ({ type: 'array', items });

type Schemas = Readonly<Record<string, Schema>>;

/** Accepts no other arguments. */
export function inputOf(properties: Schemas, required: readonly string[] = []): ObjectSchema {
  return { ...outputOf(properties, required), additionalProperties: false };
}

/** A result can have more fields than its schema names. */
export function outputOf(properties: Schemas, required: readonly string[] = []): ObjectSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Parameters of an operation as arguments of a tool: all of them, or those that are named. */
export function argumentsFor<P extends Params>(
  params: P,
  ...names: readonly (keyof P & string)[]
): Schemas {
  const chosen = names.length > 0 ? names : Object.keys(params);
  return Object.fromEntries(
    chosen.flatMap((name) => {
      const param = params[name];
      return param ? [[name, argumentSchema(param)]] : [];
    }),
  );
}

/** A day can be typed as a word, so its schema is any text. */
function argumentSchema(param: Param): Schema {
  const { summary, values = {}, min, max, pattern, fallback } = param;
  const description = fallback === undefined ? summary : `${summary}; default: ${fallback}`;
  switch (param.kind) {
    case 'choice': {
      const one = { type: 'string', enum: Object.keys(values) };
      const all = [description];
      for (const [value, meaning] of Object.entries(values)) {
        if (meaning !== '') all.push(`${value}: ${meaning}`);
      }
      const meanings = { description: all.join('. ') };
      return param.splits ? { type: 'array', items: one, ...meanings } : { ...one, ...meanings };
    }
    case 'integer':
      return {
        ...{ type: 'integer', description },
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max }),
      };
    case 'boolean':
      return { type: 'boolean', description };
    case 'decimal':
      return { type: 'string', description: `${description}, such as 19.90` };
    default:
      return { type: 'string', description, ...(pattern && { pattern: pattern.matches.source }) };
  }
}

/**
 * The shape of a row with these fields of a resource; absent and null fields are left out of rows. IDs are texts, and each
 * field has one type: several are less portable.
 */
export function rowOf(
  { fields }: Resource,
  names: readonly string[],
  computed: Schemas = {},
): Schema {
  const properties: Record<string, Schema> = {};
  for (const name of names) {
    const { kind, names: named, spelling = name } = fields[name] ?? {};
    if (kind === undefined) continue;
    const isNumber = kind === 'integer' && named === undefined;
    const others = { boolean: 'boolean', list: 'array', object: 'object' } as const;
    const type = Object.hasOwn(others, kind) ? others[kind as keyof typeof others] : 'string';
    properties[spelling] = { type: isNumber ? 'integer' : type };
  }
  return { type: 'object', properties: { ...properties, ...computed } };
}

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
    if (param.kind !== 'date' || typeof value !== 'string') {
      // One value of a list is a filter as if it stood alone.
      args[name] = Array.isArray(value) && value.length === 1 ? value[0] : value;
    } else
      Object.assign(args, dayArguments(params, given, name, daysFrom(name, value, today, param)));
  }
  const problems = validate(operation, args, today).filter(({ weight }) => weight === 'problem');
  if (problems.length > 0) {
    // `{name}` in a text stands for a parameter.
    const sentences = problems.map(({ param, says }) =>
      `${param ?? ''} ${says}.`.trim().replaceAll(/\{(\w+)\}/g, '$1'),
    );
    throw new ToolError(sentences.join(' '), nothingSent);
  }
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
  if (last < given.first) throw new ToolError(`endDate must not be before startDate.`, nothingSent);
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
  throw new ToolError(
    `Invalid ${name} '${value}'.`,
    `Use ${dayForms}. Days are Pacific days.${periods}`,
  );
}
