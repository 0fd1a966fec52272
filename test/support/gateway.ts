/** Gateways between cb and a served sandbox, which change or cut what the sandbox returned. */
import { type Asked, forward, serve } from './server.ts';

export interface Passed {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Asked['headers'];
  /** The page of a list, from 1. */
  readonly page: number;
  readonly status: number;
  readonly body: string;
  /** Requests another page of the same list. */
  other(page: number): Promise<{ readonly status: number; readonly body: string }>;
}

/** Another body, another status too, or undefined to pass on what the sandbox returned. */
type Change = string | { readonly status: number; readonly body: string } | undefined;

/** `time` is that of all responses. */
export function startGateway(
  sandbox: string,
  time: Date | (() => Date),
  change: (passed: Passed) => Promise<Change> | Change,
) {
  const timeNow = () => (time instanceof Date ? time : time());
  return serve(
    async (reply, _, asked) => {
      const { headers } = asked;
      const { status, type, body } = await forward(sandbox, asked);
      const { pathname, searchParams: query } = new URL(asked.url, sandbox);
      const path = pathname.replace(/^\/rest\/1\.3/, '');
      const page = Number(headers.page ?? 1);
      const other = (number: number) => forward(sandbox, asked, String(number));
      const passed = { path, query, headers, page, status, body, other };
      const changed = status < 300 && (await change(passed));
      const sent = typeof changed === 'string' ? { status, body: changed } : changed || undefined;
      reply.sendDate = false;
      reply.setHeader('date', timeNow().toUTCString());
      reply.writeHead(sent?.status ?? status, { 'content-type': type }).end(sent?.body ?? body);
    },
    { time: timeNow },
  );
}

/** Page 2 of orders begins with the last row of page 1 in place of its own first row, as with an unstable sort. */
export async function movedRows({ body, other }: Passed): Promise<string> {
  const before: unknown[] = JSON.parse((await other(1)).body).orderData;
  const page = JSON.parse(body);
  return JSON.stringify({ ...page, orderData: [before.at(-1), ...page.orderData.slice(1)] });
}

export interface Hooks {
  /** Changes a body; undefined refuses the request. */
  alter?(body: string, request: string): string | undefined;
  /** Called before a request is forwarded; the connection is cut if this resolves to false. */
  before?(method: string, url: string): Promise<boolean>;
  /** Called when the sandbox has answered; the connection is cut if this resolves to false. */
  after?(method: string, url: string): Promise<boolean>;
}

/** A service that forwards all requests to a sandbox. */
export async function forwardingTo(url: string, { alter = (body) => body, before, after }: Hooks) {
  return serve(async (reply, _, asked) => {
    const { method, url: path } = asked;
    if (before && !(await before(method, path))) return reply.destroy();
    const answer = await forward(url, asked);
    const body = alter(answer.body, `${method} ${path}`);
    if (after && !(await after(method, path))) return reply.destroy();
    const status = body === undefined ? 400 : answer.status;
    return reply.writeHead(status, { 'content-type': answer.type }).end(body ?? 'Not today.');
  });
}
