/** An answer of the service as what the operation returns, or as the error that it means. */
import type { Operation, Reply, Returns } from '../operations/operation.ts';
import type { Field, Resource, Row } from '../operations/resource.ts';
import { ApiError } from './errors.ts';
import { retryAfterSeconds } from './retry.ts';
import { decodeRows } from './rows.ts';
import type { Answer } from './transport.ts';
import { readJson } from './wire-json.ts';
import { parseXml } from './wire-xml.ts';

/** Decodes an answer; throws an ApiError for every status that is no success. */
export function replyOf<R extends Returns>(
  {
    method,
    returns,
    refusals,
  }: Partial<Pick<Operation, 'method' | 'refusals'>> & { readonly returns: R },
  answer: Answer,
): Reply<R> {
  if (returns.kind === 'answer' && answer.status === returns.noStatus) return false as Reply<R>;
  if (answer.status < 200 || answer.status > 299) throw refusal(answer, refusals);
  const reply = decode(returns, answer);
  // Any success of a write is one, with or without word of it.
  if (returns.kind === 'one' && reply === undefined && method === 'GET') {
    throw unreadable(answer, 'it is empty');
  }
  return reply as Reply<R>;
}

/** What stands beside the rows of a page, where the operation has such. */
export function totalsOf({ returns }: Pick<Operation, 'returns'>, answer: Answer): unknown[] {
  return 'totals' in returns && returns.totals ? decodeBody(answer, returns.totals) : [];
}

/** Asking again may bring another answer. */
export function isPassing({ status }: Answer): boolean {
  return status >= 500;
}

function decode(returns: Returns, answer: Answer): unknown {
  switch (returns.kind) {
    case 'nothing':
      return undefined;
    case 'answer':
      return true;
    case 'text':
    case 'schema':
      return answer.body.text;
    case 'count':
      return countIn(answer);
    case 'one':
      return decodeBody(answer, returns.resource)[0];
    case 'list':
    case 'pages':
      return decodeBody(answer, returns.resource, returns.inside);
  }
}

function countIn(answer: Answer): number {
  const text = answer.body.text.replace(/<[^>]*>/g, '').trim();
  if (!/^\d+$/.test(text)) throw unreadable(answer, 'it is not a count');
  return Number(text);
}

/** The rows of a body, whether it is JSON, XML or empty; `inside` is what they stand in. */
function decodeBody<T extends Resource>(answer: Answer, resource: T, inside?: Resource): Row<T>[] {
  const body = answer.body.text.trim();
  if (answer.status === 204) return [];
  try {
    return readJson((parse) => {
      const document = documentIn(body, resource.element, parse);
      return holdsNone(resource, inside, document) ? [] : decodeRows(resource, document);
    });
  } catch (cause) {
    throw unreadable(answer, (cause as Error).message, cause);
  }
}

/** XML writes the place of the rows as an empty element where there are none, whatever stands beside it. */
function holdsNone(resource: Resource, inside: Resource | undefined, document: unknown): boolean {
  const isPlace = ({ resource: inner }: Field) =>
    Object.values(inner?.fields ?? {}).some((field) => field.resource === resource);
  const place = Object.entries(inside?.fields ?? {}).find(([, field]) => isPlace(field));
  return place !== undefined && (document as Record<string, unknown> | null)?.[place[0]] === '';
}

/** The body as the wire's JSON, or its XML in the same form. */
function documentIn(body: string, element: string, parseJson: (body: string) => unknown): unknown {
  // The service writes an empty list as null, or answers 204: this was lost on the way.
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
