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
import type { ApiError } from './errors.ts';
import { type Listed, type ListOptions, readList, type Way } from './lists.ts';
import { type Mask, maskedAnswer, maskOf } from './mask.ts';
import type { HttpProxy } from './proxy.ts';
import type { Page } from './read-ahead.ts';
import { isPassing, refusal, replyOf, totalsOf } from './reply.ts';
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

/** One page of rows: decoded, and as received. */
export interface RowPage<Row> extends Page {
  readonly rows: readonly Row[];
  /** What stands beside the rows; empty where nothing does. */
  readonly totals: readonly unknown[];
}

export interface Api {
  /** The decoded reply of an operation. Throws an ApiError. */
  call<P extends Params, R extends Returns>(
    operation: Operation<P, R>,
    args: Arguments<P>,
  ): Promise<Reply<R>>;
  /** The same, with the body as received. */
  ask<P extends Params, R extends Returns>(
    operation: Operation<P, R>,
    args: Arguments<P>,
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
  schema: 'application/xml',
  text: 'text/plain, */*',
};

export function createApi(options: ApiOptions): Api {
  const { maxWait, concurrency, signal, clock = realClock } = options;
  const mask = maskFor(options);
  const transport = openWay(options, mask);
  let isReached = false;
  const hasAnswered = () => isReached;
  const send = openSender(transport, options, { clock, mask });
  const sendOnce: typeof send = async (...asked) => {
    const answer = await send(...asked);
    isReached = true;
    return answer;
  };
  const acceptOf = ({ returns }: Operation) => media[returns.kind] ?? media[options.wire] ?? '*/*';
  const read = tellingNoKey(options.asReceived ? replyOrNothing : replyOf, mask);

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

  const ask: Api['ask'] = (operation, args) => {
    const request = requestFor(operation, args);
    const manner = { accept: acceptOf(operation), general: isGeneral(operation), page: 1, signal };
    return attempt(operation.method, async () => {
      const answer = await sendOnce(request, manner);
      return { reply: read(operation, answer), body: answer.body.text };
    });
  };

  return {
    ask,
    call: async (operation, args) => (await ask(operation, args)).reply,
    send: (request, page) =>
      attempt(request.method, async () => {
        const accept = media[options.wire] ?? '*/*';
        const answer = await sendOnce(request, { accept, page, signal });
        if (isPassing(answer)) throw refusal(answer);
        return maskedAnswer(answer, mask.thorough);
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
              rows: (read(operation, answer) ?? []) as readonly RowOf<R>[],
              totals: totalsOf(operation, answer),
              body: answer.body,
            };
          },
          until,
        );
      const way = { concurrency, signal, fetch };
      return readList(operation as unknown as Operation, args as Arguments, options, way);
    },
    close: () => transport.close(),
  };
}

/** What is shown as received can hold anything, anywhere. */
function maskFor({ key, proxy, secrets = [], asReceived }: ApiOptions): Mask {
  const mask = maskOf(() => [key, ...secrets, ...(proxy?.secrets ?? [])]);
  return asReceived ? { ...mask, quick: mask.thorough } : mask;
}

function openWay(options: ApiOptions, mask: Mask): Transport {
  const { timeout, concurrency, proxy, witness, clock = realClock, onServiceTime } = options;
  const reach = { timeout, connections: concurrency, proxy };
  const transport = tellingTime(openTransport(openCarriers(reach), reach), onServiceTime);
  return witness ? watched(transport, witness, { clock, mask }) : transport;
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

/** What can't be read is told with a piece of it, in which there may be a piece of the key. */
function tellingNoKey(read: typeof replyOf, mask: Mask): typeof replyOf {
  return (operation, answer) => {
    try {
      return read(operation, answer);
    } catch {
      return read(operation, maskedAnswer(answer, mask.thorough));
    }
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
