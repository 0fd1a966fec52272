/** The client: operations in, typed replies out. */
import type {
  Arguments,
  Method,
  Operation,
  Params,
  Reply,
  Returns,
} from '../operations/operation.ts';
import { openCarriers } from './carriers.ts';
import { type Clock, realClock } from './clock.ts';
import { ApiError } from './errors.ts';
import { incompleteList, type Listed, type ListOptions, readList, type Way } from './lists.ts';
import { type Mask, maskOf } from './mask.ts';
import type { HttpProxy } from './proxy.ts';
import type { Page } from './read-ahead.ts';
import { isPassing, type ListContent, listContentOf, refusal, replyOf } from './reply.ts';
import { type Request, requestFor } from './request.ts';
import { withRetries } from './retry.ts';
import { openSender, type SenderOptions } from './sender.ts';
import { timeIn } from './service-time.ts';
import { type Answer, openTransport, type Transport } from './transport.ts';
import { type Witness, watched } from './witness.ts';

export interface ApiOptions extends SenderOptions {
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** The most requests under way at once. */
  readonly concurrency: number;
  /** What the service is asked to answer in. */
  readonly wire: 'json' | 'xml' | 'csv';
  /** An answer that can't be read is no error: its body counts, and its reply is undefined. */
  readonly asReceived?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
  readonly proxy?: HttpProxy | undefined;
  /** Keys of other accounts, which are hidden too; may grow until the first request. */
  readonly secrets?: readonly string[];
  /** Is told of each exchange. */
  readonly witness?: Witness | undefined;
  /** Called with the service's time, once, when its first answer comes. */
  readonly onServiceTime?: ((time: Date) => void) | undefined;
}

/** A whole answer: decoded, and as received. */
export interface Whole<R extends Returns> {
  readonly reply: Reply<R>;
  readonly body: string;
}

export interface CallOptions {
  /** False for a read that is only nice to have: it is sent once. */
  readonly retries?: boolean;
  /** Ends this request alone. */
  readonly signal?: AbortSignal;
}

/** One page of rows: decoded, and as received. */
export interface RowPage<Row> extends Page, ListContent<Row> {
  readonly rows: readonly Row[];
}

export interface Api {
  /** The decoded reply of an operation. Throws an ApiError. */
  call<P extends Params, R extends Returns>(
    operation: Operation<P, R>,
    args: Arguments<P>,
    options?: CallOptions,
  ): Promise<Reply<R>>;
  /** The same, with the body as received. */
  ask<P extends Params, R extends Returns>(
    operation: Operation<P, R>,
    args: Arguments<P>,
    options?: CallOptions,
  ): Promise<Whole<R>>;
  /** The pages of a list, in order, fetched ahead; a list in one body is one page. */
  pages<P extends Params, R extends Returns>(
    operation: Operation<P, R>,
    args: Arguments<P>,
    options?: ListOptions,
  ): AsyncGenerator<Listed<RowPage<RowOf<R>>>>;
  /** Any request, unchecked; a refusal (4xx) is an answer too. */
  send(request: Request, page: number): Promise<Answer>;
  close(): Promise<void>;
}

/** One row of a list's reply. */
export type RowOf<R extends Returns> = Reply<R> extends readonly (infer Row)[] ? Row : never;

/** What is asked for, by the wire's format, and where an operation has only one form. */
const media: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  csv: 'text/csv',
  'count json': 'application/json, text/plain',
  schema: 'application/xml',
  text: 'text/plain, */*',
};

export function createApi(options: ApiOptions): Api {
  const { maxWait, concurrency, clock = realClock } = options;
  // A read that waits to be retried when the client is closed must not keep the process alive.
  const closing = new AbortController();
  const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]);
  const { key, proxy, secrets = [] } = options;
  const mask = maskOf(() => [key, ...secrets, ...(proxy?.secrets ?? [])]);
  const transport = openWay(options, mask);
  let isReached = false;
  const hasAnswered = () => isReached;
  const send = openSender(transport, options, { clock, mask });
  const sendOnce: typeof send = async (...asked) => {
    const answer = await send(...asked);
    isReached = true;
    return answer;
  };
  const acceptOf = ({ returns }: Operation) =>
    media[`${returns.kind} ${options.wire}`] ?? media[returns.kind] ?? media[options.wire] ?? '*/*';
  const read = options.asReceived ? replyOrNothing : replyOf;
  const readPage = options.asReceived ? contentOrNothing : listContentOf;

  // Requests that meet one limit wait together, and it is told once.
  let waitingUntil = Number.NEGATIVE_INFINITY;
  const tellWait = (error: ApiError, milliseconds: number) => {
    if (error.kind === 'rate-limit' && clock.now() < waitingUntil) return;
    if (error.kind === 'rate-limit') waitingUntil = clock.now() + milliseconds;
    options.onEvent?.({ type: 'waiting', why: error.message, milliseconds });
  };

  /** Reads are asked again; a write is sent once, whatever happens to its answer. */
  const attempt = <T>(method: Method, once: () => Promise<T>, until = signal) => {
    if (method !== 'GET' && method !== 'HEAD') return once();
    return withRetries(once, { maxWait, clock, signal: until, hasAnswered, onWait: tellWait });
  };

  const ask: Api['ask'] = (operation, args, { retries = true, signal: own } = {}) => {
    const request = requestFor(operation, args);
    const until = own ? AbortSignal.any([signal, own]) : signal;
    const general = isGeneral(operation);
    const manner = { accept: acceptOf(operation), general, page: 1, signal: until };
    const once = async () => {
      const answer = await sendOnce(request, manner);
      const isList = operation.returns.kind === 'list';
      const reply = isList ? allRows(readPage(operation, answer)) : read(operation, answer);
      return { reply: reply as Reply<typeof operation.returns>, body: answer.body.text };
    };
    return retries ? attempt(operation.method, once, until) : once();
  };

  return {
    ask,
    call: async (operation, args, options) => (await ask(operation, args, options)).reply,
    send: (request, page) =>
      attempt(request.method, async () => {
        const accept = media[options.wire] ?? '*/*';
        const answer = await sendOnce(request, { accept, page, signal });
        if (isPassing(answer)) throw refusal(answer);
        return answer;
      }),
    pages<P extends Params, R extends Returns>(
      operation: Operation<P, R>,
      args: Arguments<P>,
      options: ListOptions = {},
    ) {
      const manner = { accept: acceptOf(operation), general: isGeneral(operation) };
      const fetch: Way<RowPage<RowOf<R>>>['fetch'] = (request, number, until) =>
        attempt(
          operation.method,
          async () => {
            const answer = await sendOnce(request, { ...manner, page: number, signal: until });
            return {
              number,
              more: answer.status === 206,
              ...(readPage(operation, answer) as ListContent<RowOf<R>>),
              body: answer.body,
            };
          },
          until,
        );
      const way = { concurrency, signal, fetch };
      return readList(operation, args, options, way);
    },
    close() {
      closing.abort(new ApiError('cancelled', 'the client is closed'));
      return transport.close();
    },
  };
}

function openWay(options: ApiOptions, mask: Mask): Transport {
  const { timeout, concurrency, proxy, witness, clock = realClock, onServiceTime } = options;
  const reach = { timeout, connections: concurrency, proxy };
  const transport = tellingTime(openTransport(openCarriers(reach), reach), onServiceTime);
  return witness ? watched(transport, witness, { clock, mask }) : transport;
}

/** Throws an ApiError if rows are missing. */
function allRows({ rows, announced = 0 }: ListContent): readonly unknown[] {
  const error = incompleteList(announced, rows.length);
  if (error) throw error;
  return rows;
}

function tellingTime(transport: Transport, tell: ApiOptions['onServiceTime']): Transport {
  if (!tell) return transport;
  let isTold = false;
  return {
    ...transport,
    async send(exchange, signal) {
      const answer = await transport.send(exchange, signal);
      const time = isTold ? undefined : timeIn(answer.headers);
      isTold = true;
      if (time) tell(time);
      return answer;
    },
  };
}

function isGeneral({ path }: Operation): boolean {
  return !path.includes('{');
}

/** What the answer says, or undefined where it says something that can't be read. */
const replyOrNothing: typeof replyOf = (operation, answer) => {
  try {
    return replyOf(operation, answer);
  } catch (error) {
    if (answer.status >= 200 && answer.status < 300) return undefined as never;
    throw error;
  }
};

const contentOrNothing: typeof listContentOf = (operation, answer) => {
  try {
    return listContentOf(operation, answer);
  } catch (error) {
    if (answer.status >= 200 && answer.status < 300) return { rows: [], totals: [] };
    throw error;
  }
};
