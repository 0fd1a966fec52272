/** Tickets over plain HTTP, with literal paths and raw bodies. */
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import {
  ask,
  expectAnswers,
  getJson,
  type Json,
  listed,
  ordersOf,
  post,
  type RawResponse,
  textOf,
} from '../raw.ts';

export const TICKETS = '/rest/1.3/tickets';
export const FULL = 'type=rfnd&reason=ticket.type.refund.2&refundType=FULL';
export const CANCEL = 'type=cncl&reason=ticket.type.cancel.5';
export const TECH = 'type=tech&reason=ticket.type.tech_support.1';

export function partial(kind: 'PERCENT' | 'AMOUNT', amount: string): string {
  return `type=rfnd&reason=ticket.type.refund.2&refundType=PARTIAL_${kind}&refundAmount=${amount}`;
}

/** `path` is the receipt with its query. */
export function open(sandbox: Sandbox, path: string): Promise<RawResponse> {
  return post(sandbox, `${TICKETS}/${path}`);
}

/** Requests of `expectAnswers` below `tickets/`; a line that starts with its path opens a ticket. */
export function expectTickets(sandbox: Sandbox) {
  return (table: TemplateStringsArray, ...values: readonly unknown[]): Promise<void> => {
    const lines = textOf(table, values).trim().split('\n');
    const requests = lines.map((line) =>
      line.trim().replace(/^([\w-]+: )?((?:GET|PUT|POST) )?/, (_, key = '', method = 'POST ') => {
        return `${key}${method}tickets/`;
      }),
    );
    return expectAnswers(sandbox)`${requests.join('\n')}`;
  };
}

export function put(sandbox: Sandbox, path: string): Promise<RawResponse> {
  return ask(sandbox, 'PUT', `${TICKETS}/${path}`, { Accept: 'application/json' });
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
  return listed(ticket.comments).map(({ action }) => action);
}

/** Type and amount of every transaction of a receipt. */
export async function moneyOf(sandbox: Sandbox, receipt: string): Promise<unknown[]> {
  const rows = await ordersOf(sandbox, receipt);
  return rows.map((row) => `${row.transactionType} ${row.totalOrderAmount}`);
}

export async function stateOf(sandbox: Sandbox, receipt: string): Promise<unknown> {
  return (await ordersOf(sandbox, receipt))[0]?.customerRefundableState;
}
