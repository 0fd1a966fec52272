/** Decodes a response into what the operation returns. */
import type { Arguments, Operation, Reply, Returns } from '../../operations/operation.ts';
import type { Resource } from '../../operations/resource.ts';
import { ApiError } from '../errors.ts';
import { isWebPage, type ReceivedResponse, refusal, unreadable } from '../http/http-errors.ts';
import { announcedTotal, findNeighbors, findRows } from './row-finder.ts';
import { type DecodedRow, type Numbers, rowDecoder } from './rows.ts';
import { parseJson } from './wire-json.ts';
import { isMarkup, isNil, isObject, scalarText } from './wire-value.ts';
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

/**
 * Throws an ApiError with `maybeDone` if the reply to a write does not show what was written. A proxy, a cache or
 * a login page can answer with 2xx too, in place of the service.
 */
export function requireConfirmation(
  { returns }: Operation,
  args: Arguments,
  response: ReceivedResponse,
  reply: unknown,
): void {
  const isPage = returns.kind === 'nothing' && isWebPage(response.body);
  if (isPage || ('confirms' in returns && returns.confirms?.(reply, args) === false)) {
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
    case 'text':
      return textIn(response.body);
    case 'schema':
      return response.body;
    case 'count':
      return countIn(response);
    case 'one':
      return decodeList(response, returns, numbers).rows[0];
    case 'list':
      return allRows(decodeList(response, returns, numbers));
    case 'pages':
      return decodeList(response, returns, numbers).rows;
  }
}

function allRows({ rows, announced = 0 }: ListContent): readonly DecodedRow[] {
  const error = missingRows(announced, rows.length);
  if (error) throw error;
  return rows;
}

export function missingRows(announced: number, received: number): ApiError | undefined {
  if (!Number.isFinite(announced) || received >= announced) return undefined;
  return new ApiError(
    'incomplete',
    `ClickBank announced ${announced} rows but sent only ${received}.`,
    { code: 'missing-rows', hint: 'The list is incomplete.' },
  );
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
    const document = documentIn(body, resource);
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

/** Parses the body: JSON, or XML converted to the form of the JSON. */
function documentIn(body: string, { element }: Resource): unknown {
  if (body === '') throw new SyntaxError('it is empty');
  if (!body.startsWith('<')) return parseJson(body);
  const root = parseXml(body);
  return root.name === element ? { [element]: root.content } : root.content;
}

/** The count in `7`, `"7"`, `{"count":7}` or `<count>7</count>`. */
function countIn(response: ReceivedResponse): number {
  const { body } = response;
  const text = (/^\s*\d+\s*$/.test(body) ? body : onlyScalar(body))?.trim() ?? '';
  if (!/^\d{1,15}$/.test(text)) throw unreadable(response, 'it is not a count');
  return Number(text);
}

/** The text in `NEW-01`, `"NEW-01"` or `<sku>NEW-01</sku>`; undefined for an empty body. */
function textIn(body: string): string | undefined {
  const isQuoted = /^\s*["<]/.test(body);
  const text = (isQuoted ? onlyScalar(body) : undefined) ?? body;
  return text.trim() === '' ? undefined : text;
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
