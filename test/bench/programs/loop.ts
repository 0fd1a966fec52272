/**
 * A typical script: pages one by one with undici, JSON.parse, and the stream of
 * csv-stringify into stdout. Arguments: the URL of a list.
 */
import { once } from 'node:events';
import { stringify } from 'csv-stringify';
import { request } from 'undici';
import { orders } from '../../../src/operations/orders.ts';

type Row = Readonly<Record<string, unknown>>;

const columns = Object.keys(orders.list.returns.resource.fields);

/** Nil becomes an empty cell, objects become JSON. */
function cell(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return '@nil' in value ? '' : JSON.stringify(value);
}

async function main(url: string): Promise<void> {
  const csv = stringify({ header: true, columns });
  csv.pipe(process.stdout);
  for (let page = 1, more = true; more; page++) {
    const reply = await request(url, {
      headers: {
        authorization: process.env.CB_API_KEY ?? '',
        accept: 'application/json',
        page: String(page),
      },
    });
    more = reply.statusCode === 206;
    const { orderData } = JSON.parse(await reply.body.text()) as { orderData: readonly Row[] };
    for (const row of orderData) {
      if (!csv.write(columns.map((name) => cell(row[name])))) await once(csv, 'drain');
    }
  }
  csv.end();
}

void main(process.argv[2] ?? '');
