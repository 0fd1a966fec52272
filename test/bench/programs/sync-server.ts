/**
 * The service of the benchmark of `cb sync`: 1,000 orders on each day from FIRST to LAST, and nothing else. Prints its
 * URL when it is ready and ends when stdin closes, so that it never outlives the benchmark.
 * Arguments: FIRST LAST, as Pacific days.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pagesIn, placeOf, rowsOnAPage } from '../days.ts';
import { openPages, type PageMaker } from '../pages.ts';

const [firstDay = '', lastDay = ''] = process.argv.slice(2);

const later = (one: string, other: string) => (one > other ? one : other);
const earlier = (one: string, other: string) => (one < other ? one : other);

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer | string;
}

const json = (body: Buffer | string, status = 200): Answer => ({
  ...{ status, type: 'application/json', body },
});

function answerTo({ pathname, searchParams }: URL, page: number, make: PageMaker): Answer {
  const period = {
    startDate: later(searchParams.get('startDate') ?? '', firstDay),
    endDate: earlier(searchParams.get('endDate') ?? lastDay, lastDay),
  };
  const pages = pagesIn(period);
  if (pathname.endsWith('/quickstats/accounts')) {
    return json('{"accountData":[{"nickName":"GREENLEAF"}]}');
  }
  if (pathname.endsWith('/orders2/count')) {
    return { status: 200, type: 'text/plain', body: String(pages * rowsOnAPage) };
  }
  if (pathname.endsWith('/count')) return { status: 200, type: 'text/plain', body: '0' };
  const isOrders = pathname.endsWith('/orders2/list') && searchParams.get('role') !== 'AFFILIATE';
  if (!isOrders || page > pages) return json('null');
  const { day, page: pageOfDay } = placeOf(period, page);
  return json(make('json', day, pageOfDay), page < pages ? 206 : 200);
}

async function main(): Promise<void> {
  process.stdin.on('end', () => process.exit()).resume();
  const make = await openPages();
  const server = createServer(({ url = '', headers }, reply) => {
    const asked = new URL(url, 'http://127.0.0.1');
    const { status, type, body } = answerTo(asked, Number(headers.page ?? 1), make);
    reply.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
    reply.end(body);
  });
  server.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

await main();
