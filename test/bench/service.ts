/** A service with the same number of orders on every day, latest day first: those of a sandbox, stamped with the day. */
import type { IncomingHttpHeaders } from 'node:http';
import { addDays, pacificTime } from '../../src/dates/day.ts';
import { startSandbox } from '../../src/sandbox/http/server.ts';

export const pagesADay = 10;
export const rowsOnAPage = 100;

/** The last day of every period, in the past, so that no client treats it as incomplete. */
const lastDay = '2025-12-31';

export interface Period {
  readonly startDate: string;
  readonly endDate: string;
}

/** The period with this number of pages, rounded up to whole days. */
export function periodOf(pages: number): Period {
  return { startDate: addDays(lastDay, 1 - Math.ceil(pages / pagesADay)), endDate: lastDay };
}

export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer | string;
}

/** Answers requests for orders and for the accounts of the key; every other list is empty. */
export type Service = (url: string, headers: IncomingHttpHeaders) => Reply;

/** Opens a service with orders on every day, or only on those from the first to the last one. */
export async function openService(firstDay = '', lastDay = '9999-12-31'): Promise<Service> {
  const templates = await readTemplates();
  return (url, { accept, page }) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const [first, last] = [searchParams.get('startDate'), searchParams.get('endDate')];
    const start = first && first > firstDay ? first : firstDay;
    const end = last && last < lastDay ? last : lastDay;
    const pages = Math.max(0, (Date.parse(end) - Date.parse(start)) / 86_400_000 + 1) * pagesADay;
    const isOrders = pathname.includes('/orders2/') && searchParams.get('role') !== 'AFFILIATE';
    if (pathname.endsWith('/count')) {
      return { status: 200, type: 'text/plain', body: isOrders ? `${pages * rowsOnAPage}` : '0' };
    }
    const wire = accept?.includes('xml') ? 'xml' : 'json';
    const list = (body: Buffer | string, status = 200) => ({
      ...{ status, type: `application/${wire}`, body },
    });
    if (pathname.endsWith('/accounts')) return list('{"accountData":[{"nickName":"GREENLEAF"}]}');
    const number = Number(page ?? 1);
    if (!isOrders || number > pages) return list(wire === 'xml' ? '<orderDataList/>' : 'null');
    const place = (number - 1) % pagesADay;
    const template = templates[wire][place] as Template;
    const day = addDays(end, -(number - 1 - place) / pagesADay);
    return list(stamped(template, day), number < pages ? 206 : 200);
  };
}

/** A body of 100 orders, and the positions of the bytes that depend on the day. */
interface Template {
  readonly body: Buffer;
  readonly times: readonly number[];
  readonly receipts: readonly number[];
}

const values = {
  json: { time: /(?<="transactionTime":")[^"]*/g, receipt: /(?<="receipt":")\w{8}/g },
  xml: { time: /(?<=<transactionTime>)[^<]*/g, receipt: /(?<=<receipt>)\w{8}/g },
} as const;

const blankDay = '0000-00-00';
const blankReceipt = '----';

/** Reads the pages of a day in both formats from a sandbox. */
async function readTemplates() {
  const sandbox = await startSandbox({ file: ':memory:', seed: { orders: 1500 } });
  const url = `${sandbox.url}/rest/1.3/orders2/list?startDate=2000-01-01&endDate=2099-12-31`;
  const authorization = sandbox.keys[0]?.key ?? '';
  const read = (wire: keyof typeof values) =>
    Promise.all(
      Array.from({ length: pagesADay }, async (_, page) => {
        const headers = { authorization, accept: `application/${wire}`, page: String(page + 1) };
        return templateOf(await (await fetch(url, { headers })).text(), wire, page);
      }),
    );
  try {
    return { json: await read('json'), xml: await read('xml') };
  } finally {
    await sandbox.close();
  }
}

function templateOf(text: string, wire: keyof typeof values, page: number): Template {
  let timed = page * rowsOnAPage;
  let named = page * rowsOnAPage;
  const { time, receipt } = values[wire];
  const blank = text
    .replaceAll(time, () => `${blankDay}T${clockAt(timed++)}-00:00`)
    .replaceAll(receipt, () => blankReceipt + code(named++));
  const body = Buffer.from(blank);
  const placesOf = (part: string) => {
    const places: number[] = [];
    for (let at = body.indexOf(part); at !== -1; at = body.indexOf(part, at + 1)) places.push(at);
    if (places.length === rowsOnAPage) return places;
    throw new Error(`page ${page + 1} of the sandbox has ${places.length} orders`);
  };
  return { body, times: placesOf(blankDay), receipts: placesOf(blankReceipt) };
}

/** The time of a row, latest first, from midnight back to shortly after 4 a.m., so after any clock change. */
function clockAt(row: number): string {
  const second = 86_399 - row * Math.floor((19 * 3600) / (pagesADay * rowsOnAPage));
  return new Date(second * 1000).toISOString().slice(11, 19);
}

/** Encodes a number as four letters and digits of a receipt. */
function code(number: number): string {
  return number.toString(36).toUpperCase().padStart(4, '0');
}

const offsets = new Map<string, string>();

/** A copy with the day in every time and receipt; its cost is negligible. */
function stamped({ body, times, receipts }: Template, day: string): Buffer {
  const copy = Buffer.from(body);
  const offset = offsets.get(day) ?? pacificTime(Date.parse(`${day}T20:00:00Z`) / 1000).slice(19);
  offsets.set(day, offset);
  const prefix = code(Date.parse(day) / 86_400_000);
  for (const at of times) {
    copy.write(day, at, 'latin1');
    copy.write(offset, at + blankDay.length + 'T00:00:00'.length, 'latin1');
  }
  for (const at of receipts) copy.write(prefix, at, 'latin1');
  return copy;
}
