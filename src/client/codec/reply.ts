/** Decodes a response into what the operation returns. */
import type { Arguments, Operation, Reply, Returns } from '../../operations/operation.ts';
import type { Field, Resource } from '../../operations/resource.ts';
import { ApiError } from '../errors.ts';
import { type ReceivedResponse, refusal, unreadable } from '../http/http-errors.ts';
import {
  type DecodedRow,
  isMarkup,
  isNil,
  isObject,
  listOf,
  type Numbers,
  nameOf,
  rowDecoder,
  scalarText,
  type WireObject,
} from './rows.ts';
import { parseJson } from './wire-json.ts';
import { parseXml } from './wire-xml.ts';

type Decodable<R extends Returns> = Partial<Pick<Operation, 'refusals'>> & {
  readonly returns: R;
};

/** A row as returned to the caller: typed, or with exact numbers for printing. */
export type RowOf<R extends Returns, N extends Numbers = 'plain'> = N extends 'exact'
  ? DecodedRow
  : Reply<R> extends readonly (infer Row)[]
    ? Row
    : never;

export type Decoded<R extends Returns, N extends Numbers> = N extends 'exact'
  ? R extends { kind: 'list' | 'pages' }
    ? readonly DecodedRow[]
    : R extends { kind: 'one' }
      ? DecodedRow
      : Reply<R>
  : Reply<R>;

export interface ListContent<Row = DecodedRow> {
  readonly rows: readonly Row[];
  /** Totals beside the rows, if the operation has any. */
  readonly totals: readonly DecodedRow[];
  /** How many rows the service says the whole list has. */
  readonly announced?: number | undefined;
  /** The body could not be decoded and is wanted as received. */
  readonly isOpaque?: boolean;
}

/** Throws an ApiError for every status other than 2xx, and for a body that can't be read. */
export function replyOf<R extends Returns, N extends Numbers = 'plain'>(
  { returns, refusals }: Decodable<R>,
  response: ReceivedResponse,
  numbers?: N,
): Decoded<R, N> {
  // The kind of `returns` decides the type, which the compiler can't follow.
  const decoded = (value: unknown) => value as Decoded<R, N>;
  if (returns.kind === 'answer' && response.status === returns.noStatus) return decoded(false);
  requireSuccess(response, refusals);
  const value = decode(returns, response, numbers ?? 'plain');
  if (returns.kind === 'one' && value === undefined) throw unreadable(response, 'it is empty');
  return decoded(value);
}

/** Throws an ApiError with `maybeDone` if a reply does not show the write: a proxy or a login page can answer 2xx too. */
export function requireConfirmation(
  { returns }: Operation,
  args: Arguments,
  response: ReceivedResponse,
  reply: unknown,
): void {
  const isMore = returns.kind === 'nothing' && !/^\s*(?:null|\{\s*\})?\s*$/.test(response.body);
  if (isMore || ('confirms' in returns && returns.confirms?.(reply, args) === false)) {
    throw unreadable(response, 'it does not show what was written');
  }
}

/** Throws as `replyOf` does. */
export function listContentOf<R extends Returns, N extends Numbers = 'plain'>(
  { returns, refusals }: Decodable<R>,
  response: ReceivedResponse,
  numbers?: N,
): ListContent<RowOf<R, N>> {
  requireSuccess(response, refusals);
  return decodeList(response, returns, numbers ?? 'plain') as ListContent<RowOf<R, N>>;
}

function requireSuccess(response: ReceivedResponse, refusals: Operation['refusals']): void {
  if (response.status < 200 || response.status > 299) throw refusal(response, refusals);
}

function decode(returns: Returns, response: ReceivedResponse, numbers: Numbers): unknown {
  switch (returns.kind) {
    case 'nothing':
      return undefined;
    case 'answer':
      return true;
    case 'text': {
      // The text in `NEW-01`, `"NEW-01"` or `<sku>NEW-01</sku>`; undefined for an empty body.
      const isQuoted = /^\s*["<]/.test(response.body);
      const text = (isQuoted ? onlyScalar(response.body) : undefined) ?? response.body;
      return text.trim() === '' ? undefined : text;
    }
    case 'schema':
      return response.body;
    case 'count':
      return countIn(response);
    case 'one':
      return decodeList(response, returns, numbers).rows[0];
    case 'list': {
      const { rows, announced = 0 } = decodeList(response, returns, numbers);
      const error = missingRows(announced, rows.length);
      if (error) throw error;
      return rows;
    }
    case 'pages':
      return decodeList(response, returns, numbers).rows;
  }
}

export function missingRows(announced: number, received: number): ApiError | undefined {
  if (!Number.isFinite(announced) || received >= announced) return undefined;
  return incompleteList(`ClickBank announced ${announced} rows but sent only ${received}.`);
}

export function incompleteList(
  message: string,
  code: 'missing-rows' | 'shifted-rows' = 'missing-rows',
): ApiError {
  return new ApiError('incomplete', message, { code });
}

function decodeList(response: ReceivedResponse, returns: Returns, numbers: Numbers): ListContent {
  const body = response.body.trim();
  // An empty body is an empty list, unless the status announces more pages.
  if (!('resource' in returns) || (body === '' && response.status !== 206)) {
    return { rows: [], totals: [] };
  }
  const { resource } = returns;
  const { inside, totals } = 'inside' in returns ? returns : {};
  try {
    if (body === '') throw new SyntaxError('it is empty');
    const root = body.startsWith('<') ? parseXml(body) : { name: '', content: parseJson(body) };
    const document = root.name === resource.element ? { [root.name]: root.content } : root.content;
    const neighbors = totals ? findNeighbors(totals, document, inside) : [];
    return {
      rows: findRows(resource, document, inside).map(rowDecoder(resource, numbers)),
      totals: totals ? neighbors.map(rowDecoder(totals, numbers)) : [],
      announced: announcedTotal(document),
    };
  } catch (cause) {
    throw unreadable(response, (cause as Error).message, cause);
  }
}

/** The count in `7`, `"7"`, `{"count":7}` or `<count>7</count>`. */
function countIn(response: ReceivedResponse): number {
  const { body } = response;
  const text = (/^\s*\d+\s*$/.test(body) ? body : onlyScalar(body))?.trim() ?? '';
  if (!/^\d{1,15}$/.test(text)) throw unreadable(response, 'it is not a count');
  return Number(text);
}

/** The one scalar of a JSON or XML document, at any depth; undefined if there is another number of them. */
function onlyScalar(body: string): string | undefined {
  try {
    const isXml = body.trimStart().startsWith('<');
    return scalarBelow(isXml ? parseXml(body.trim()).content : parseJson(body), 0);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const deepest = 3;

function scalarBelow(value: unknown, depth: number): string | undefined {
  if (isNil(value)) return undefined;
  const text = scalarText(value);
  if (text !== undefined || !isObject(value) || depth === deepest) return text;
  const [only, another] = Object.entries(value).filter(([key]) => !isMarkup(key));
  return only && !another ? scalarBelow(only[1], depth + 1) : undefined;
}

/*
 * Finds the rows in a decoded body, by the rules of docs/decisions/005 in their order: the service does not document the
 * wrapper of every list. Everything else is a SyntaxError. A body that holds an array of objects is never an empty list.
 */

const mostWrappers = 2;

function findRows(resource: Resource, body: unknown, inside?: Resource): readonly WireObject[] {
  // Rule 1: fields of the known wrapper that do not lead to the rows.
  const isNeighbor = ([name]: readonly [string, unknown]) => {
    const field = inside && Object.hasOwn(inside.fields, name) ? inside.fields[name] : undefined;
    return field !== undefined && !leadsTo(field, resource);
  };
  const content =
    inside && isObject(body)
      ? Object.fromEntries(Object.entries(body).filter((entry) => !isNeighbor(entry)))
      : body;
  // Rule 2: a field named like the element; 3: the one array of such rows; 4: an object that is a row.
  let rows = namedRows(resource, content, 0);
  if (!rows) {
    const candidates = candidatesIn(resource, content, 0);
    const arrays = candidates.filter(({ isArray }) => isArray);
    const [only, another] = arrays.length > 0 ? arrays : candidates;
    if (another) {
      throw new SyntaxError(`it contains several lists that could be ${resource.element}`);
    }
    rows = only?.rows;
  }
  if (rows && rows.length > 0) return rows;
  if (holdsObjects(content)) {
    throw new SyntaxError(`it contains objects, but none is recognized as ${resource.element}`);
  }
  // Rule 5.
  if (rows || isEmptyList(content)) return [];
  throw new SyntaxError(`it contains no ${resource.element}`);
}

/** Returns the elements of `resource` in the known wrapper; none if they are missing. */
function findNeighbors(
  resource: Resource,
  body: unknown,
  inside: Resource | undefined,
): readonly WireObject[] {
  for (const [name, field] of Object.entries(inside?.fields ?? {})) {
    const value = isObject(body) && !isNil(body) ? body[name] : undefined;
    if (field.resource === resource) return objectsIn(resource, value);
    if (leadsTo(field, resource)) return findNeighbors(resource, value, field.resource);
  }
  return [];
}

function announcedTotal(body: unknown): number | undefined {
  if (!isObject(body)) return undefined;
  const total = ['totalCount', 'total_record_count'].map((name) => scalarText(body[name]));
  const text = total.find((one) => one !== undefined && /^\d{1,15}$/.test(one));
  return text === undefined ? undefined : Number(text);
}

function leadsTo(field: Field, resource: Resource): boolean {
  if (field.resource === resource) return true;
  return Object.values(field.resource?.fields ?? {}).some((inner) => leadsTo(inner, resource));
}

function namedRows(
  resource: Resource,
  value: unknown,
  depth: number,
): readonly WireObject[] | undefined {
  if (!isObject(value) || isNil(value)) return undefined;
  if (Object.hasOwn(value, resource.element)) {
    return objectsIn(resource, value[resource.element]);
  }
  if (depth === mostWrappers) return undefined;
  for (const inner of Object.values(value)) {
    const found = namedRows(resource, inner, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** Something that may be the rows: an array of objects, or an object for a list of one. */
interface Candidate {
  readonly rows: readonly WireObject[];
  readonly isArray: boolean;
  /** The most fields of the row that one of the objects has. */
  readonly known: number;
}

function candidatesIn(resource: Resource, value: unknown, depth: number): Candidate[] {
  if (Array.isArray(value)) {
    const known = Math.max(0, ...value.slice(0, 100).map((one) => knownFields(resource, one)));
    return known > 0 ? [{ rows: objectsIn(resource, value), isArray: true, known }] : [];
  }
  if (!isObject(value) || isNil(value)) return [];
  const isStrange = (key: string) => !isMarkup(key) && !Object.hasOwn(resource.fields, nameOf(key));
  const inner =
    depth > mostWrappers
      ? []
      : Object.entries(value).flatMap(([key, one]) =>
          isStrange(key) ? candidatesIn(resource, one, depth + 1) : [],
        );
  const known = knownFields(resource, value);
  // A wrapper may have a field whose name a row has too, such as `status`.
  const isRow = known > 0 && !inner.some((one) => one.isArray && one.known >= known);
  return isRow ? [{ rows: [value], isArray: false, known }] : inner;
}

function knownFields({ fields }: Resource, value: unknown): number {
  if (!isObject(value)) return 0;
  return Object.keys(value).filter((key) => Object.hasOwn(fields, nameOf(key))).length;
}

/** The objects of a list without its nil elements. Throws a SyntaxError for any other element. */
function objectsIn({ element }: Resource, value: unknown): readonly WireObject[] {
  const elements = listOf(value).filter((one) => !isNothing(one));
  if (elements.every(isObject)) return elements;
  throw new SyntaxError(`it contains a row that is not a ${element} object`);
}

function isNothing(value: unknown): boolean {
  return isNil(value) || (typeof value === 'string' && value.trim() === '');
}

function holdsObjects(value: unknown, depth = 0): boolean {
  if (depth > 10 || typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value) && value.some((one) => isObject(one) && !isNil(one))) return true;
  return Object.values(value).some((inner) => holdsObjects(inner, depth + 1));
}

function isEmptyList(body: unknown): boolean {
  if (isNothing(body) || isHollow(body)) return true;
  if (!isObject(body)) return false;
  if (announcedTotal(body) === 0) return true;
  const values = Object.entries(body).flatMap(([key, value]) => (isMarkup(key) ? [] : [value]));
  const others = values.filter((value) => !isNothing(value) && !isHollow(value));
  return others.length < values.length && others.every((value) => scalarText(value) !== undefined);
}

/** `[]`, `{}`, and an object that holds nothing but markup. */
function isHollow(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isNothing);
  return isObject(value) && Object.keys(value).every(isMarkup);
}
