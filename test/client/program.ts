/** A program on the client and the workflows alone. Arguments: base URL and key of a service. */
import { createClient, services } from '../../src/client/index.ts';
import { safeWrite } from '../../src/workflows/safe-write/safe-write.ts';

const { orders, tickets } = services;
const [, , baseUrl = '', apiKey] = process.argv;
const client = createClient({ baseUrl, apiKey });
const year = { startDate: '2025-03-19', endDate: '2026-03-18' };

const amounts: Record<string, string | null | undefined> = {};
for await (const order of client.list(orders.list, year)) {
  amounts[order.receipt ?? ''] = order.totalOrderAmount;
}
const pages: number[] = [];
for await (const { rows } of client.pages(orders.list, year)) pages.push(rows.length);

const refund = { type: 'rfnd', reason: 'ticket.type.refund.2', refundType: 'FULL' } as const;
const ticket = { receipt: 'DIGITAL1', ...refund };
const created = await safeWrite(client, tickets.create, ticket);
const agree = { confirm: () => true };
const again = await safeWrite(client, tickets.create, ticket, agree).catch(({ kind }) => kind);
await client.close();
process.stdout.write(JSON.stringify({ amounts, pages, created: created.reply, again }));
