/** Changes fields of an event by their paths, such as `customer.billing.email` or `lineItems.0.itemNo`. */
import { LosslessNumber, parse } from 'lossless-json';
import { eventShape, isListKind, isShape, type Kind } from '../event-shape.ts';
import { type ExactObject, isPlainObject } from '../event-text.ts';

/** A path that can't be used: `message` says why. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Returns the event with a field set. A field that is known as a number or as true or false gets such a value if the
 * text is one; objects and lists are given as JSON; any other field gets the text.
 */
export function withField(event: ExactObject, path: string, text: string): ExactObject {
  const steps = stepsOf(path);
  return changed(event, steps, () => readValue(text, kindAt(steps), path), path) as ExactObject;
}

/** Returns the event without a field. Throws a PathError if it has no such field. */
export function withoutField(event: ExactObject, path: string): ExactObject {
  return changed(event, stepsOf(path), () => undefined, path) as ExactObject;
}

/** The paths of all fields of an event, for suggestions. */
export function pathsOf(value: unknown, path = ''): readonly string[] {
  const own = path === '' ? [] : [path];
  if (!Array.isArray(value) && !isPlainObject(value)) return own;
  const below = Object.entries(value).flatMap(([name, field]) =>
    pathsOf(field, path === '' ? name : `${path}.${name}`),
  );
  return [...own, ...below];
}

function stepsOf(path: string): readonly string[] {
  const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  if (steps.some((step) => step === '')) throw new PathError(`'${path}' is not a path of a field.`);
  if (steps.includes('__proto__')) throw new PathError("No field can be named '__proto__'.");
  return steps;
}

function kindAt(steps: readonly string[]): Kind | undefined {
  return steps.reduce<Kind | undefined>((kind, step) => {
    if (isListKind(kind)) return /^\d+$/.test(step) ? kind[0] : undefined;
    return isShape(kind) && Object.hasOwn(kind, step) ? kind[step] : undefined;
  }, eventShape);
}

function readValue(text: string, kind: Kind | undefined, path: string): unknown {
  const isNumber = kind === 'decimal' || kind === 'integer';
  if (isNumber && jsonNumber.test(text)) return new LosslessNumber(text);
  if (kind === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  if (kind !== 'free' && !isListKind(kind) && !isShape(kind)) return text;
  try {
    const value = parse(text);
    if (isListKind(kind) ? Array.isArray(value) : isPlainObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new PathError(`'${path}' takes ${isListKind(kind) ? 'a list' : 'an object'} as JSON.`);
}

/** `make` returns the new value of the field; undefined removes it. */
function changed(
  value: unknown,
  [step, ...rest]: readonly string[],
  make: () => unknown,
  path: string,
): unknown {
  if (step === undefined) return make();
  if (Array.isArray(value)) {
    const at = Number(step);
    if (!/^\d+$/.test(step) || at > value.length) {
      throw new PathError(`'${path}' goes through a list of ${value.length}; use an index from 0.`);
    }
    const element = changed(value[at], rest, make, path);
    if (element === undefined && at === value.length) throw missing(path);
    return value.toSpliced(at, 1, ...(element === undefined ? [] : [element]));
  }
  if (value !== undefined && !isPlainObject(value)) {
    throw new PathError(`'${path}' goes through a field that is not an object.`);
  }
  const fields = value ?? {};
  const field = changed(Object.hasOwn(fields, step) ? fields[step] : undefined, rest, make, path);
  if (field === undefined && !Object.hasOwn(fields, step)) {
    throw missing(path);
  }
  const { [step]: _, ...others } = fields;
  return field === undefined ? others : { ...fields, [step]: field };
}

function missing(path: string): PathError {
  return new PathError(`The event has no field '${path}'.`);
}
