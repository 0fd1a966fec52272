/** A service with many orders, for tests of memory. */
import { pagesIn, placeOf, rowsOnAPage } from '../bench/days.ts';
import { openPages } from '../bench/pages.ts';
import { serve } from './server.ts';

/** A service whose number of orders grows with the requested period. */
export async function orderService() {
  const make = await openPages();
  const { env } = await serve((reply, _, asked) => {
    const { pathname, searchParams } = new URL(asked.url, 'http://127.0.0.1');
    if (!pathname.includes('/orders2/')) {
      reply.writeHead(404).end();
      return;
    }
    const period = {
      startDate: searchParams.get('startDate') ?? '',
      endDate: searchParams.get('endDate') ?? '',
    };
    if (pathname.endsWith('/count')) {
      reply.end(String(pagesIn(period) * rowsOnAPage));
      return;
    }
    const number = Number(asked.headers.page);
    const { day, page } = placeOf(period, number);
    reply.writeHead(number < pagesIn(period) ? 206 : 200).end(make('json', day, page));
  });
  return env;
}
