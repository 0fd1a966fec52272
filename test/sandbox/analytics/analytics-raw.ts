/** Analytics over plain HTTP, with parsed lists and nils. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { getJson, keyed } from '../raw.ts';

export const ANALYTICS = '/rest/1.3/analytics';

export type Json = Readonly<Record<string, unknown>>;

/** A list in JSON: nothing, one bare element, or several. */
export function listed<T = Json>(value: unknown): T[] {
  return value === null || value === undefined ? [] : ([value].flat() as T[]);
}

interface Figure {
  readonly attribute: string;
  readonly value: { readonly '@type': string; readonly $: string };
}

/** Figures by name. */
export type Figures = Readonly<Record<string, number>>;

export interface Statistics {
  readonly status: number;
  readonly body: Json;
  readonly rows: { readonly value: string; readonly account: string; readonly figures: Figures }[];
  readonly totals: Figures;
}

/** The value of the dimension is among the figures, but is not one. */
function figuresIn(data: unknown): Figures {
  const figures = listed<Figure>(data).filter(({ attribute }) => attribute !== 'DIMENSION_VALUE');
  return Object.fromEntries(figures.map(({ attribute, value }) => [attribute, Number(value.$)]));
}

/** A page of figures by dimension; fails on anything but 200 and 206. */
export async function statistics(
  sandbox: Sandbox,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Statistics> {
  const response = await getJson(sandbox, `${ANALYTICS}/${path}`, headers);
  expect([200, 206], response.text).toContain(response.status);
  const body = JSON.parse(response.text);
  const rows = listed(body.rows.row).map((row) => ({
    value: String(row.dimensionValue),
    account: String(row.accountNickName),
    figures: figuresIn(row.data),
  }));
  return { status: response.status, body, rows, totals: figuresIn(body.totals.total) };
}

/** Fails unless the request is refused with a sentence that contains `says`. */
export async function expectRefusal(
  sandbox: Sandbox,
  path: string,
  status: number,
  says: string | RegExp,
  key = 'full',
): Promise<void> {
  const response = await getJson(sandbox, `${ANALYTICS}/${path}`, keyed(sandbox, key));
  expect([path, response.status]).toEqual([path, status]);
  expect(response.headers['content-type']).toMatch(/^text\/plain/);
  expect(response.text).toMatch(says);
}

/** The rows of a subscription listing, after checking their total. */
export async function details(sandbox: Sandbox, path: string): Promise<Json[]> {
  const response = await getJson(sandbox, `${ANALYTICS}/${path}`);
  expect(response.status, response.text).toBe(200);
  const body = JSON.parse(response.text);
  const rows = listed(body.data.row);
  expect(body.totalCount).toBe(String(rows.length));
  return rows;
}
