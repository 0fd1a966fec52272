/**
 * The service of the benchmark: orders2/list and orders2/count for any period, with a port for each
 * delay. Arguments: delays in milliseconds. Prints `{"<delay>": <port>}` when it is ready and
 * ends when stdin closes, so that it never outlives the benchmark.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Period, pagesIn, periodOf, placeOf, rowsOnAPage } from '../days.ts';
import { openPages, type PageMaker } from '../pages.ts';

const root = '/rest/1.3/orders2';
const twoDays = periodOf(20);
const nothing = { json: 'null', xml: '<orderDataList/>' };

interface Asked {
  readonly path: string;
  readonly period: Period;
  readonly page: number;
  readonly wire: 'json' | 'xml';
}

function read({ url = '', headers }: IncomingMessage): Asked {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  return {
    path: pathname,
    period: {
      startDate: searchParams.get('startDate') ?? twoDays.startDate,
      endDate: searchParams.get('endDate') ?? twoDays.endDate,
    },
    page: Number(headers.page ?? 1),
    wire: headers.accept?.includes('xml') ? 'xml' : 'json',
  };
}

function answer({ path, period, page, wire }: Asked, reply: ServerResponse, make: PageMaker) {
  const pages = pagesIn(period);
  if (path === `${root}/count`) return send(reply, 200, 'text/plain', `${pages * rowsOnAPage}`);
  if (path !== `${root}/list`) return send(reply, 404, 'text/plain', `nothing at ${path}`);
  if (page > pages) return send(reply, 200, `application/${wire}`, nothing[wire]);
  const { day, page: pageOfDay } = placeOf(period, page);
  send(reply, page < pages ? 206 : 200, `application/${wire}`, make(wire, day, pageOfDay));
}

function send(reply: ServerResponse, status: number, type: string, body: Buffer | string): void {
  reply.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  reply.end(body);
}

function serve(make: PageMaker, delay: number): Promise<number> {
  const server = createServer((request, reply) => {
    const asked = read(request);
    if (delay === 0) answer(asked, reply, make);
    else setTimeout(answer, delay, asked, reply, make);
  });
  return new Promise((done) =>
    server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)),
  );
}

async function main(): Promise<void> {
  process.stdin.on('end', () => process.exit()).resume();
  const make = await openPages();
  const ports: Record<string, number> = {};
  for (const delay of process.argv.slice(2)) ports[delay] = await serve(make, Number(delay));
  process.stdout.write(`${JSON.stringify(ports)}\n`);
}

await main();
