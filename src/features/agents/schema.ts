/** The schemas of arguments and results of tools, from the parameters and resources of the catalogue. */

import type { Param, Params } from '../../operations/operation.ts';
import type { Field, FieldKind, Fields, Resource } from '../../operations/resource.ts';
import { present, type ToolRow } from './rows.ts';
import type { ObjectSchema, Schema, ToolArguments } from './tool.ts';

export const text = (description?: string): Schema => ({
  type: 'string',
  ...(description !== undefined && { description }),
});
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
export function argumentsFor<P extends Params>(params: P, ...names: readonly (keyof P & string)[]) {
  const chosen = names.length > 0 ? names : Object.keys(params);
  return Object.fromEntries(
    chosen.flatMap((name) => {
      const param = params[name];
      return param ? [[name, argumentSchema(param)]] : [];
    }),
  );
}

function argumentSchema(param: Param): Schema {
  const one = valueSchema(param);
  if (!param.splits && !param.repeatable) return one;
  const { description, ...items } = one;
  return { type: 'array', items, description };
}

/** A day can be typed as a word, so its schema is any text. */
function valueSchema(param: Param): Schema {
  const { summary, values = {}, min, max, pattern, fallback } = param;
  const description = fallback === undefined ? summary : `${summary}; default: ${fallback}`;
  switch (param.kind) {
    case 'choice': {
      const all = [description];
      for (const [value, meaning] of Object.entries(values)) {
        if (meaning !== '') all.push(`${value}: ${meaning}`);
      }
      return { type: 'string', enum: Object.keys(values), description: all.join('. ') };
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

/** Models may write an ID such as 1001 as a number, and a list of one value without brackets. */
export function asDeclared(properties: Schemas, given: object): ToolArguments {
  const entries = Object.entries(given).map(([name, value]) => {
    const type = properties[name]?.type;
    // Only whole numbers keep their digits.
    if (type === 'string' && Number.isSafeInteger(value)) return [name, String(value)] as const;
    const isOne = type === 'array' && typeof value === 'string';
    return [name, isOne ? value.split(',').map((one) => one.trim()) : value] as const;
  });
  return Object.fromEntries(entries);
}

export const limitArgument: Schema = { type: 'integer', minimum: 1, maximum: 100, default: 25 };

export function listInput(properties: Schemas, required?: readonly string[]): ObjectSchema {
  const description = 'next of the previous result; repeat its other arguments';
  const paging = { limit: limitArgument, cursor: text(description) };
  return inputOf({ ...properties, ...paging }, required);
}

export function listOutput(row: Schema): ObjectSchema {
  return outputOf({ rows: listOf(row), next: text() }, ['rows']);
}

const types: Partial<Record<FieldKind, string>> = {
  ...{ integer: 'integer', boolean: 'boolean', list: 'array', object: 'object' },
};

/**
 * Rows with some fields of a resource: their schema, and how a row of the client becomes one. A misspelled field gets its
 * correct spelling, and absent and null fields are left out.
 */
export function rowsWith<F extends Fields>(
  { fields }: Resource<F>,
  names: readonly (keyof F & string)[],
) {
  const columns = names.map((name) => {
    const { kind, names: named, spelling = name } = fields[name] as Field;
    // An ID is a text. Each field has one type: several are less portable.
    const type = (named === undefined && types[kind]) || 'string';
    const convert = type === 'integer' ? Number : kind === 'integer' ? String : undefined;
    return { name, spelling, type, convert };
  });
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(columns.map(({ spelling, type }) => [spelling, { type }])),
    },
    pick(row: object): ToolRow {
      const cells = columns.map(({ name, spelling, convert }) => {
        const value = (row as ToolRow)[name] ?? undefined;
        return [spelling, convert && value !== undefined ? convert(value) : value];
      });
      return present(Object.fromEntries(cells));
    },
  };
}
