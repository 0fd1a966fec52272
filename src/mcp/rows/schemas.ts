/** JSON Schemas of tools, derived from the parameters and resources of the catalogue. */
import type { Param, Params } from '../../operations/operation.ts';
import type { Field, Resource } from '../../operations/resource.ts';

export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

export interface ObjectSchema extends Schema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
}

export const text = (description?: string): Schema => described({ type: 'string' }, description);
export const count: Schema = { type: 'integer' };
export const yesNo: Schema = { type: 'boolean' };
export const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** Accepts no other arguments. */
export function inputOf(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): ObjectSchema {
  const needed = required.length > 0 && { required };
  return { type: 'object', properties, ...needed, additionalProperties: false };
}

/** A result can have more fields than its schema names. */
export function outputOf(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): ObjectSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Parameters of an operation as arguments of a tool: all of them, or those that are named. */
export function argumentsFor<P extends Params>(
  params: P,
  ...names: readonly (keyof P & string)[]
): Readonly<Record<string, Schema>> {
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
  const { summary, values, min, max, pattern, fallback } = param;
  const description = fallback === undefined ? summary : `${summary}; default: ${fallback}`;
  switch (param.kind) {
    case 'choice': {
      const one = { type: 'string', enum: Object.keys(values ?? {}) };
      const meanings = meaningsIn(param, description);
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

function meaningsIn({ values = {} }: Param, description: string): Schema {
  const meanings = Object.entries(values).flatMap(([value, meaning]) =>
    meaning === '' ? [] : [`${value}: ${meaning}`],
  );
  return { description: [description, ...meanings].join('. ') };
}

/** The shape of a row with these fields of a resource; absent and null fields are left out of rows. */
export function rowOf(resource: Resource, names: readonly string[]): Schema {
  const { fields } = resource;
  const properties = names.flatMap((name) => {
    const field = fields[name];
    return field ? [[field.spelling ?? name, fieldSchema(field)] as const] : [];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** IDs are texts, and each field has one type: several are less portable. */
function fieldSchema({ kind, names }: Field): Schema {
  switch (kind) {
    case 'integer':
      return { type: names === undefined ? 'integer' : 'string' };
    case 'boolean':
      return { type: 'boolean' };
    case 'list':
      return { type: 'array' };
    case 'object':
      return { type: 'object' };
    default:
      return { type: 'string' };
  }
}

function described(schema: Schema, description: string | undefined): Schema {
  return description === undefined ? schema : { ...schema, description };
}
