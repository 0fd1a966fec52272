/** A program on the library alone. Arguments: base URL and key of a service. */
import { createClient } from '../../src/library/index.ts';

const [, , baseUrl = '', apiKey = ''] = process.argv;
const client = createClient({ baseUrl, apiKey });
const year = { startDate: '2025-03-19', endDate: '2026-03-18' };

const amounts: Record<string, string | null | undefined> = {};
for await (const order of client.orders.list(year)) {
  amounts[order.receipt ?? ''] = order.totalOrderAmount;
}
const pages: number[] = [];
for await (const { rows } of client.orders.list(year).pages()) pages.push(rows.length);

const refund = { type: 'rfnd', reason: 'ticket.type.refund.2', refundType: 'FULL' } as const;
const ticket = { receipt: 'DIGITAL1', ...refund };
const created = await client.safe.tickets.create(ticket);
const again = await client.safe.tickets.create(ticket, { confirm: () => true });
await client.close();
process.stdout.write(JSON.stringify({ amounts, pages, created, again }));
