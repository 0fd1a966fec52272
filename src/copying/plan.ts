/** What may stand in a row, field by field: how it is found in a body, and what it is decoded to. */
import { decoderOf, type Value } from '../api/rows.ts';
import type { FieldKind, Resource } from '../operations/resource.ts';
import { type Pattern, patternOf } from './source.ts';

/** The fields of a resource, in its order. */
export type Plan = readonly Place[];

export interface Place {
  readonly name: string;
  /** `"name":`, as a body without white space has it. */
  readonly key: Pattern;
  readonly kind: FieldKind;
  /** Of an object, or of each element of a list, when its fields are known. */
  readonly inside: Plan | undefined;
  /** What the parsed value is in a row. */
  decode(raw: unknown): Value;
}

export function planOf({ fields }: Resource): Plan {
  return Object.entries(fields).map(([name, field]) => ({
    name,
    key: patternOf(`${JSON.stringify(field.attribute ? `@${name}` : name)}:`),
    kind: field.kind,
    inside: hasFields(field.resource) ? planOf(field.resource) : undefined,
    decode: decoderOf(field),
  }));
}

function hasFields(resource: Resource | undefined): resource is Resource {
  return resource !== undefined && Object.keys(resource.fields).length > 0;
}
