/** Several lists as one: windows, rows that move, and errors. */
import { expect, test } from 'vitest';
import { realClock } from '../../../src/client/clock.ts';
import { type ListFetcher, type ListOptions, readList } from '../../../src/client/paging/lists.ts';
import { operation, pages } from '../../../src/operations/operation.ts';
import { order, orders } from '../../../src/operations/orders.ts';

interface Sale {
  readonly receipt: string;
  readonly transactionTime: string | null;
}

/** A sale at an hour of a day of March. */
const sale = (receipt: string, day: number, hour = 12): Sale => ({
  receipt,
  transactionTime: `2026-03-${day}T${hour}:00:00-07:00`,
});

const keyedBy = (key: readonly ['receipt', ...'role'[]]) =>
  operation({
    ...orders.list,
    returns: pages(order, { key, dated: { by: 'period', first: 'latest' } }),
  });

const keyed = keyedBy(['receipt']);

/** Pages of two rows each, by type; `announced` is what the service says of a type. */
function serviceOf(
  rows: Readonly<Record<string, readonly Sale[]>>,
  announced: Readonly<Record<string, number>> = {},
) {
  const asked: string[] = [];
  const fetcher: ListFetcher<Sale> = {
    concurrency: 4,
    today: '2026-03-31',
    signal: new AbortController().signal,
    client: { call: () => Promise.reject(new Error('no count was wanted')) },
    clock: realClock,
    async fetch({ query }, number) {
      const { type = '', startDate = '', endDate = '' } = Object.fromEntries(query);
      asked.push(type);
      const found = (rows[type] ?? []).filter(({ transactionTime }) => {
        const day = (transactionTime ?? endDate).slice(0, 10);
        return startDate <= day && day <= endDate;
      });
      const shown = found.slice(2 * number - 2, 2 * number);
      const more = 2 * number < found.length;
      const content = { rows: shown, totals: [], announced: announced[type] };
      return { ...content, number, more, body: `${number}` };
    },
  };
  return { asked, fetcher };
}

async function read(
  fetcher: ListFetcher<Sale>,
  types: readonly string[],
  options: ListOptions = {},
  key: Parameters<typeof keyedBy>[0] = ['receipt'],
) {
  const args = { startDate: '2026-03-01', endDate: '2026-03-31', type: types };
  const found: { window: number; endsWindow: boolean; more: boolean; receipts: string[] }[] = [];
  for await (const page of readList(keyedBy(key), args as never, options, fetcher)) {
    const { window, endsWindow, more, rows } = page;
    found.push({ window, endsWindow, more, receipts: rows.map(({ receipt }) => receipt) });
  }
  return found;
}

const receiptsOf = (found: Awaited<ReturnType<typeof read>>) =>
  found.flatMap(({ receipts }) => receipts);

test('completes each window of all lists before the next one, also behind those of an earlier run', async () => {
  const { fetcher } = serviceOf({
    SALE: [sale('A', 31), sale('C', 16), sale('D', 15)],
    RFND: [sale('B', 20), sale('E', 14)],
  });
  const cut = { today: '2026-04-01', days: 16 };
  const found = await read(fetcher, ['SALE', 'RFND'], { cut });
  expect(receiptsOf(found).join('')).toBe('ABCDE');
  const ends = found.filter(({ endsWindow }) => endsWindow);
  expect(ends.map(({ window, more }) => `${window} ${more}`)).toEqual(['0 true', '1 false']);
  expect(found.filter(({ more }) => !more)).toEqual([found.at(-1)]);
  const behind = await read(fetcher, ['SALE', 'RFND'], { cut, skip: 1 });
  expect(receiptsOf(behind).join('')).toBe('DE');
  expect(behind.at(-1)).toMatchObject({ window: 1, endsWindow: true });
  expect(await read(fetcher, ['SALE', 'RFND'], { cut, skip: 2 })).toEqual([]);
});

test('leaves out a row that moved to another list meanwhile, and keeps one without a time in its place', async () => {
  const moved = [sale('B', 19), sale('C', 18)];
  const { fetcher } = serviceOf({ SALE: [sale('A', 20), sale('B', 19)], RFND: moved });
  expect(receiptsOf(await read(fetcher, ['SALE', 'RFND'])).join('')).toBe('ABC');
  const bare = { receipt: 'B', transactionTime: null };
  const timed = serviceOf({ SALE: [sale('A', 20), bare, sale('D', 10)], RFND: [sale('C', 15)] });
  expect(receiptsOf(await read(timed.fetcher, ['SALE', 'RFND'])).join('')).toBe('ABCD');
});

test('fails if one of the lists has fewer rows than the service announced', async () => {
  const rows = { SALE: [sale('A', 20)], RFND: [sale('B', 19)] };
  const { fetcher } = serviceOf(rows, { RFND: 3 });
  await expect(read(fetcher, ['SALE', 'RFND'])).rejects.toMatchObject({ kind: 'incomplete' });
});

test('refuses a single page of several lists before anything is sent', () => {
  const { fetcher, asked } = serviceOf({});
  const args = { type: ['SALE', 'RFND'] } as never;
  expect(() => readList(keyed, args, { from: 1 }, fetcher)).toThrow('several values of type');
  expect(asked).toEqual([]);
});

test('leaves out a row that changes while it moves, but keeps those that lack a field of their key', async () => {
  const moving = [sale('A', 20), sale('B', 19), sale('B', 19, 11), sale('C', 18)];
  const { fetcher } = serviceOf({ SALE: moving });
  expect(receiptsOf(await read(fetcher, ['SALE'])).join('')).toBe('ABC');
  const rows = await read(fetcher, ['SALE'], {}, ['receipt', 'role']);
  expect(receiptsOf(rows).join('')).toBe('ABBC');
});
