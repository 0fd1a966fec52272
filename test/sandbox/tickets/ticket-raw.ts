/** Tickets over plain HTTP, with literal paths and raw bodies. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { ask, getJson, ordersOf, post, type RawResponse } from '../raw.ts';

export const TICKETS = '/rest/1.3/tickets';
export const DAY = 86_400;
export const FULL = 'type=rfnd&reason=ticket.type.refund.2&refundType=FULL';
export const CANCEL = 'type=cncl&reason=ticket.type.cancel.5';
export const TECH = 'type=tech&reason=ticket.type.tech_support.1';

type Json = Readonly<Record<string, unknown>>;

export function partial(kind: 'PERCENT' | 'AMOUNT', amount: string): string {
  return `type=rfnd&reason=ticket.type.refund.2&refundType=PARTIAL_${kind}&refundAmount=${amount}`;
}

/** `path` is the receipt with its query. */
export function open(sandbox: Sandbox, path: string, headers = {}): Promise<RawResponse> {
  return post(sandbox, `${TICKETS}/${path}`, headers);
}

export async function expectRefusal(sandbox: Sandbox, path: string, says: string): Promise<void> {
  const { status, text } = await open(sandbox, path);
  expect([path, status, text]).toEqual([path, 400, expect.stringContaining(says)]);
}

export function put(sandbox: Sandbox, path: string, headers = {}): Promise<RawResponse> {
  const json = { Accept: 'application/json', ...headers };
  return ask(sandbox, 'PUT', `${TICKETS}/${path}`, json);
}

export async function ticketOf(sandbox: Sandbox, id: unknown): Promise<Json> {
  return bodyOf(await getJson(sandbox, `${TICKETS}/${id}`));
}

export function bodyOf(response: RawResponse): Json {
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`);
  return JSON.parse(response.text) as Json;
}

/** The actions in the log, oldest first. */
export function logOf(ticket: Json): unknown[] {
  return [ticket.comments as Json | Json[]].flat().map((entry) => entry.action);
}

export function ticketsIn(response: RawResponse): Json[] {
  const body = JSON.parse(response.text) as { ticketData: Json | Json[] } | null;
  return body === null ? [] : [body.ticketData].flat();
}

/** Type and amount of every transaction of a receipt. */
export async function moneyOf(sandbox: Sandbox, receipt: string): Promise<unknown[]> {
  const rows = await ordersOf(sandbox, receipt);
  return rows.map((row) => `${row.transactionType} ${row.totalOrderAmount}`);
}

export async function stateOf(sandbox: Sandbox, receipt: string): Promise<unknown> {
  return (await ordersOf(sandbox, receipt))[0]?.customerRefundableState;
}
