/** Decodes a response into what the operation returns. */
import type { Operation, Reply, Returns } from '../../operations/operation.ts';
import type { Resource } from '../../operations/resource.ts';
import { ApiError } from '../errors.ts';
import { type Answer, refusal, unreadable } from '../http/http-errors.ts';
import { announcedTotal, findNeighbors, findRows } from './row-finder.ts';
import { type DecodedRow, type Numbers, rowDecoder } from './rows.ts';
import { countIn, textIn } from './scalar-reply.ts';
import { parseJson } from './wire-json.ts';
import { parseXml } from './wire-xml.ts';

/** What decoding needs to know of an operation. */
type Decodable<R extends Returns> = Partial<Pick<Operation, 'method' | 'refusals'>> & {
  readonly returns: R;
};

/** A row as the caller gets it: typed, or with exact numbers to be printed. */
export type RowOf<R extends Returns, N extends Numbers = 'plain'> = N extends 'exact'
  ? DecodedRow
  : Reply<R> extends readonly (infer Row)[]
    ? Row
    : never;

/** A reply as the caller gets it. */
export type Decoded<R extends Returns, N extends Numbers> = N extends 'exact'
  ? R extends { kind: 'list' | 'pages' }
    ? readonly DecodedRow[]
    : R extends { kind: 'one' }
      ? DecodedRow
      : Reply<R>
  : Reply<R>;

/** What a list answers with. */
export interface ListContent<Row = DecodedRow> {
  readonly rows: readonly Row[];
  /** What stands beside the rows, where the operation has such. */
  readonly totals: readonly DecodedRow[];
  /** How many rows the service says the whole list has. */
  readonly announced?: number | undefined;
}

/** Throws an ApiError for every status that is no success, and for a body that can't be read. */
export function replyOf<R extends Returns, N extends Numbers = 'plain'>(
  { method, returns, refusals }: Decodable<R>,
  answer: Answer,
  numbers?: N,
): Decoded<R, N> {
  // The kind of `returns` decides the type, which the compiler can't follow.
  const decoded = (value: unknown) => value as Decoded<R, N>;
  if (returns.kind === 'answer' && answer.status === returns.noStatus) return decoded(false);
  requireSuccess(answer, refusals);
  const value = decode(returns, answer, numbers ?? 'plain');
  // Any success of a write is one, with or without word of it.
  if (returns.kind === 'one' && value === undefined && method === 'GET') {
    throw unreadable(answer, 'it is empty');
  }
  return decoded(value);
}

/** Throws as `replyOf` does. */
export function listContentOf<R extends Returns, N extends Numbers = 'plain'>(
  { returns, refusals }: Decodable<R>,
  answer: Answer,
  numbers?: N,
): ListContent<RowOf<R, N>> {
  requireSuccess(answer, refusals);
  return decodeList(answer, returns, numbers ?? 'plain') as ListContent<RowOf<R, N>>;
}

function requireSuccess(answer: Answer, refusals: Operation['refusals']): void {
  if (answer.status < 200 || answer.status > 299) throw refusal(answer, refusals);
}

function decode(returns: Returns, answer: Answer, numbers: Numbers): unknown {
  switch (returns.kind) {
    case 'nothing':
      return undefined;
    case 'answer':
      return true;
    case 'text':
      return textIn(answer.body);
    case 'schema':
      return answer.body;
    case 'count':
      return countOf(answer);
    case 'one':
      return decodeList(answer, returns, numbers).rows[0];
    case 'list':
      return allRows(decodeList(answer, returns, numbers));
    case 'pages':
      return decodeList(answer, returns, numbers).rows;
  }
}

/** Throws an ApiError if rows are missing. */
function allRows({ rows, announced = 0 }: ListContent): readonly DecodedRow[] {
  const error = missingRows(announced, rows.length);
  if (error) throw error;
  return rows;
}

/** An error if fewer rows were received than announced. */
export function missingRows(announced: number, received: number): ApiError | undefined {
  if (!Number.isFinite(announced) || received >= announced) return undefined;
  return new ApiError(
    'incomplete',
    `ClickBank announced ${announced} rows but sent only ${received}.`,
    { code: 'missing-rows', hint: 'The list is incomplete.' },
  );
}

function countOf(answer: Answer): number {
  const count = countIn(answer.body);
  if (count === undefined) throw unreadable(answer, 'it is not a count');
  return count;
}

/** The rows of a body, whether it is JSON, XML or empty. */
function decodeList(answer: Answer, returns: Returns, numbers: Numbers): ListContent {
  const body = answer.body.trim();
  // An empty body stands for an empty list, but a page that promises more was lost on the way.
  if (!('resource' in returns) || (body === '' && answer.status !== 206)) {
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
    throw unreadable(answer, (cause as Error).message, cause);
  }
}

/** The body as the wire's JSON, or its XML in the same form. */
function documentIn(body: string, { element }: Resource): unknown {
  if (body === '') throw new SyntaxError('it is empty');
  if (!body.startsWith('<')) return parseJson(body);
  const root = parseXml(body);
  return root.name === element ? { [element]: root.content } : root.content;
}
