/** An answer of the service as what the operation returns, or as the error that it means. */
import type { Operation, Reply, Returns } from '../operations/operation.ts';
import type { Resource, Row } from '../operations/resource.ts';
import { ApiError } from './errors.ts';
import { retryAfterSeconds } from './retry.ts';
import { announcedTotal, findNeighbors, findRows } from './row-finder.ts';
import { decodeRows } from './rows.ts';
import { countIn, textIn } from './scalar-reply.ts';
import type { Answer } from './transport.ts';
import { readJson } from './wire-json.ts';
import { parseXml } from './wire-xml.ts';

type Asked<R extends Returns> = Partial<Pick<Operation, 'method' | 'refusals'>> & {
  readonly returns: R;
};

/** What a list answers with. */
export interface ListContent<T = unknown> {
  readonly rows: readonly T[];
  /** What stands beside the rows, where the operation has such. */
  readonly totals: readonly unknown[];
  /** How many rows the service says the whole list has. */
  readonly announced?: number | undefined;
}

/** Decodes an answer; throws an ApiError for every status that is no success. */
export function replyOf<R extends Returns>(operation: Asked<R>, answer: Answer): Reply<R> {
  const { method, returns, refusals } = operation;
  if (returns.kind === 'answer' && answer.status === returns.noStatus) return false as Reply<R>;
  requireSuccess(answer, refusals);
  const reply = decode(returns, answer);
  // Any success of a write is one, with or without word of it.
  if (returns.kind === 'one' && reply === undefined && method === 'GET') {
    throw unreadable(answer, 'it is empty');
  }
  return reply as Reply<R>;
}

/** Decodes an answer to a list; throws an ApiError for every status that is no success. */
export function listContentOf(operation: Asked<Returns>, answer: Answer): ListContent {
  const { returns, refusals } = operation;
  requireSuccess(answer, refusals);
  if (!('resource' in returns)) return { rows: [], totals: [] };
  const { inside, totals } = 'inside' in returns ? returns : {};
  return decodeList(answer, returns.resource, { inside, totals });
}

/** Asking again may bring another answer. */
export function isPassing({ status }: Answer): boolean {
  return status >= 500;
}

function requireSuccess(answer: Answer, refusals: Operation['refusals']): void {
  if (answer.status < 200 || answer.status > 299) throw refusal(answer, refusals);
}

function decode(returns: Returns, answer: Answer): unknown {
  const { text } = answer.body;
  switch (returns.kind) {
    case 'nothing':
      return undefined;
    case 'answer':
      return true;
    case 'text':
      return textIn(text);
    case 'schema':
      return text;
    case 'count':
      return countOf(answer);
    case 'one':
      return decodeList(answer, returns.resource).rows[0];
    case 'list':
    case 'pages':
      return listContentOf({ returns }, answer).rows;
  }
}

function countOf(answer: Answer): number {
  const count = countIn(answer.body.text);
  if (count === undefined) throw unreadable(answer, 'it is not a count');
  return count;
}

interface Wrapper {
  /** What the rows stand in. */
  readonly inside?: Resource | undefined;
  /** What stands beside them in there. */
  readonly totals?: Resource | undefined;
}

/** The rows of a body, whether it is JSON, XML or empty. */
function decodeList<T extends Resource>(
  answer: Answer,
  resource: T,
  { inside, totals }: Wrapper = {},
): ListContent<Row<T>> {
  const body = answer.body.text.trim();
  // An empty body stands for an empty list, but a page that promises more was lost on the way.
  if (body === '' && answer.status !== 206) return { rows: [], totals: [] };
  try {
    return readJson((parse) => {
      const document = documentIn(body, resource.element, parse);
      return {
        rows: decodeRows(resource, findRows(resource, document, inside)),
        totals: totals ? decodeRows(totals, findNeighbors(totals, document, inside)) : [],
        announced: announcedTotal(document),
      };
    });
  } catch (cause) {
    throw unreadable(answer, (cause as Error).message, cause);
  }
}

/** The body as the wire's JSON, or its XML in the same form. */
function documentIn(body: string, element: string, parseJson: (body: string) => unknown): unknown {
  if (body === '') throw new SyntaxError('it is empty');
  if (!body.startsWith('<')) return parseJson(body);
  const root = parseXml(body);
  return root.name === element ? { [element]: root.content } : root.content;
}

/** The service's own words, or the start of what stands in their place, on one line. */
function firstWords(body: string): string {
  const text = /<html|<!doctype html/i.test(body) ? body.replace(/<[^>]*>/g, ' ') : body;
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function unreadable(answer: Answer, why: string, cause?: unknown): ApiError {
  const web = /^\s*<(?:!doctype )?html/i.test(answer.body.text);
  return new ApiError('failed', `the answer can't be read: ${firstWords(why)}`, {
    status: answer.status,
    cause,
    passing: true,
    maybeDone: true,
    hint: web
      ? 'a web page came back: is a proxy or a login page in between?'
      : 'try again; --raw shows what came back',
  });
}

/** How long nothing should go out, and what tells that a 403 is no refusal of another kind. */
interface Limited {
  /** Milliseconds. */
  readonly wait: number;
  /** Seconds since the same was allowed; undefined for a 429, which needs no evidence. */
  readonly allowedAgo: number | undefined;
}

/** The error of a 429, or of a 403 that is taken for one. */
export function tooManyRequests(answer: Answer, { wait, allowedAgo }: Limited): ApiError {
  const words = firstWords(answer.body.text);
  const said = `${answer.status}${words ? `: ${words}` : ''}`;
  const passing = { passing: true, retryAfter: wait / 1000 };
  const patience = 'the limits are 10 a second and 25,000 a day: try again later, or allow more';
  if (allowedAgo === undefined) {
    return new ApiError('rate-limit', `too many requests (${said})`, {
      ...passing,
      status: answer.status,
      hint: `${patience} with --max-wait`,
    });
  }
  // No status: to those who look at it a 403 is a no, and this is none.
  return new ApiError(
    'rate-limit',
    `too many requests, it seems: the service refused what it allowed ${allowedAgo} s ago (${said})`,
    {
      ...passing,
      hint: `${patience} with --max-wait; if it never ends, the key may have lost the permission`,
    },
  );
}

/** Where a redirect leads, without what may be secret in it. */
function placeNamed(location: string | undefined): string {
  const place = location?.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
  return place ? ` to ${firstWords(place)}` : '';
}

/** The error that a status beyond 2xx means. */
export function refusal(answer: Answer, meanings: Readonly<Record<number, string>> = {}): ApiError {
  const { status } = answer;
  const words = firstWords(answer.body.text);
  const said = words ? `: ${words}` : '';
  const meaning = meanings[status];
  const retryAfter = retryAfterSeconds(answer.headers['retry-after'], Date.now());
  if (status === 401) {
    return new ApiError('key', `the service does not know this key (401${said})`, {
      status,
      hint: 'run `cb login` with the key shown under Settings, API Management',
    });
  }
  if (status === 403) {
    return new ApiError('refused', `the service refused (403${said})`, {
      status,
      hint: `it can mean: ${meaning ?? 'not found, or not of your account'}; the key lacks the permission; or too many requests`,
    });
  }
  if (status >= 500) {
    return new ApiError('failed', `the service failed (${status}${said})`, {
      status,
      passing: true,
      maybeDone: true,
      hint: 'try again later',
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });
  }
  if (status >= 300 && status < 400 && status !== 304) {
    const to = placeNamed(answer.headers.location);
    return new ApiError('refused', `the service redirects${to} (${status}); cb does not follow`, {
      status,
      maybeDone: true,
      hint: 'the key goes to its own service only; check the base URL (cb whoami)',
    });
  }
  return new ApiError('refused', `the service refused (${status}${said})`, {
    status,
    // A gateway that ran out of time may have passed the request on.
    maybeDone: status < 400 || status === 408,
    ...(meaning ? { hint: meaning } : {}),
  });
}
