/** Prepared pages: realistic orders from the sandbox, stamped with the requested day. */
import { startSandbox } from '../../src/sandbox/http/server.ts';
import { offsetOf, pagesADay, rowsOnAPage } from './days.ts';

export type Wire = 'json' | 'xml';

/** A body of 100 orders, and the positions of the bytes that depend on the day. */
interface Template {
  readonly body: Buffer;
  readonly times: readonly number[];
  readonly receipts: readonly number[];
}

/** The body of page `page`, from 0, of a day. */
export type PageMaker = (wire: Wire, day: string, page: number) => Buffer;

const blankDay = '0000-00-00';
const blankReceipt = '----';

const values: Readonly<Record<Wire, { readonly time: RegExp; readonly receipt: RegExp }>> = {
  json: { time: /(?<="transactionTime":")[^"]*/g, receipt: /(?<="receipt":")\w{8}/g },
  xml: { time: /(?<=<transactionTime>)[^<]*/g, receipt: /(?<=<receipt>)\w{8}/g },
};

/** Seeds a sandbox, reads the pages of a day in both formats, and closes it. */
export async function openPages(): Promise<PageMaker> {
  const sandbox = await startSandbox({ file: ':memory:', seed: { orders: 1500 } });
  const key = sandbox.keys[0]?.key ?? '';
  try {
    const read = (wire: Wire) =>
      Promise.all(
        Array.from({ length: pagesADay }, async (_, page) =>
          templateOf(await bodyFrom(sandbox.url, key, wire, page + 1), wire, page),
        ),
      );
    const templates = { json: await read('json'), xml: await read('xml') };
    return (wire, day, page) => stamped(templates[wire][page] as Template, day);
  } finally {
    await sandbox.close();
  }
}

async function bodyFrom(url: string, key: string, wire: Wire, page: number): Promise<string> {
  const search = 'startDate=2000-01-01&endDate=2099-12-31';
  const reply = await fetch(`${url}/rest/1.3/orders2/list?${search}`, {
    headers: { authorization: key, accept: `application/${wire}`, page: String(page) },
  });
  return reply.text();
}

function templateOf(text: string, wire: Wire, page: number): Template {
  let timed = 0;
  let named = page * rowsOnAPage;
  const blank = text
    .replaceAll(
      values[wire].time,
      () => `${blankDay}T${clockAt(page * rowsOnAPage + timed++)}-00:00`,
    )
    .replaceAll(values[wire].receipt, () => `${blankReceipt}${code(named++)}`);
  const body = Buffer.from(blank);
  const times = placesOf(body, blankDay);
  const receipts = placesOf(body, blankReceipt);
  if (times.length !== rowsOnAPage || receipts.length !== rowsOnAPage) {
    throw new Error(`page ${page + 1} of the sandbox has ${times.length} orders`);
  }
  return { body, times, receipts };
}

/** The time of a row, latest first, from midnight back to shortly after 4 a.m. */
function clockAt(row: number): string {
  const second = 86_399 - row * Math.floor((19 * 3600) / (pagesADay * rowsOnAPage));
  return new Date(second * 1000).toISOString().slice(11, 19);
}

/** Encodes a number as four letters and digits of a receipt. */
function code(number: number): string {
  return number.toString(36).toUpperCase().padStart(4, '0');
}

function placesOf(body: Buffer, text: string): number[] {
  const places: number[] = [];
  for (let at = body.indexOf(text); at !== -1; at = body.indexOf(text, at + 1)) places.push(at);
  return places;
}

/** A copy with the day in every time and receipt; its cost is negligible. */
function stamped({ body, times, receipts }: Template, day: string): Buffer {
  const copy = Buffer.from(body);
  const offset = offsetOf(day);
  const prefix = code(Date.parse(day) / 86_400_000);
  for (const at of times) {
    copy.write(day, at, 'latin1');
    copy.write(offset, at + blankDay.length + 'T00:00:00'.length, 'latin1');
  }
  for (const at of receipts) copy.write(prefix, at, 'latin1');
  return copy;
}
