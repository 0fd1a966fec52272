/** Converts the replies of writes, in which numbers are strings, for output. */
import { LosslessNumber } from 'lossless-json';
import type { Operation } from '../../operations/operation.ts';
import type { Resource } from '../../operations/resource.ts';
import { isList, isRow, type Row, type Value } from '../../output/rows/rows.ts';

/** Converts numeric strings of the reply to numbers, with the digits as sent. */
export function printable({ returns }: Operation, reply: Value): Value {
  return 'resource' in returns ? withNumerals(returns.resource, reply) : reply;
}

function withNumerals(resource: Resource, value: Value): Value {
  if (isList(value)) return value.map((one) => withNumerals(resource, one));
  if (!isRow(value)) return value;
  const fields = Object.entries(value).map(([name, one]): [string, Value] => {
    const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
    if (field?.resource) return [name, withNumerals(field.resource, one)];
    const isNumber = field?.kind === 'decimal' || field?.kind === 'integer';
    return [name, isNumber ? numeral(one) : one];
  });
  return Object.fromEntries(fields) as Row;
}

function numeral(value: Value): Value {
  const isDigits = typeof value === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value);
  return isDigits ? new LosslessNumber(value) : value;
}
