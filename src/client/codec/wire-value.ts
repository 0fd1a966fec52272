/**
 * The values of a parsed response, JSON or XML in the same form: a scalar is a text, nil is
 * `{"@nil":"true"}`, an attribute is `@name`, text beside attributes is `$`.
 */
import { LosslessNumber } from 'lossless-json';

export type WireObject = Record<string, unknown>;

/** The text of a scalar, also of `{"@type":"xs:long","$":"31"}`. */
export function scalarText(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw;
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw);
  if (raw instanceof LosslessNumber) return raw.value;
  if (!isObject(raw) || !('$' in raw)) return undefined;
  if (Object.keys(raw).some((key) => key !== '$' && !key.startsWith('@'))) return undefined;
  return scalarText(raw.$) ?? String(raw.$);
}

/** Whether a key is XML or JSON markup, or `__proto__`, which no object may have. */
export function isMarkup(key: string): boolean {
  return /^@(?:nil|type|xmlns.*|xs|xsi|schemaLocation)$|^\$$|^@?__proto__$/.test(key);
}

export function nameOf(key: string): string {
  return key.startsWith('@') ? key.slice(1) : key;
}

export function isNil(raw: unknown): boolean {
  if (raw === null) return true;
  return typeof raw === 'object' && '@nil' in raw && String(raw['@nil']) === 'true';
}

export function isObject(raw: unknown): raw is WireObject {
  if (typeof raw !== 'object' || raw === null) return false;
  return !Array.isArray(raw) && !(raw instanceof LosslessNumber);
}

/** A list of one is sent without an array, an empty list as null. */
export function listOf(raw: unknown): readonly unknown[] {
  if (raw === undefined || raw === null) return [];
  return Array.isArray(raw) ? raw : [raw];
}
