/** A gateway between cb and a served sandbox that changes what the sandbox returned. */
import { serve } from './server.ts';

export interface Passed {
  readonly path: string;
  readonly query: URLSearchParams;
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
    async (reply, _, { url, headers }) => {
      const send = async (page: number) => {
        const { accept = '', authorization = '' } = headers;
        const got = await fetch(sandbox + url, {
          headers: { accept, authorization, page: String(page) },
        });
        return {
          status: got.status,
          type: got.headers.get('content-type'),
          body: await got.text(),
        };
      };
      const page = Number(headers.page ?? 1);
      const { status, type, body } = await send(page);
      const { pathname, searchParams } = new URL(url, sandbox);
      const path = pathname.replace(/^\/rest\/1\.3/, '');
      const passed = { path, query: searchParams, page, status, body, other: send };
      const changed = status < 300 ? await change(passed) : undefined;
      const sent = typeof changed === 'string' ? { status, body: changed } : changed;
      reply.sendDate = false;
      reply.setHeader('date', timeNow().toUTCString());
      reply.writeHead(sent?.status ?? status, { 'content-type': type ?? 'application/json' });
      reply.end(sent?.body ?? body);
    },
    { time: timeNow },
  );
}
