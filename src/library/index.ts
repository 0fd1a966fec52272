/**
 * The public interface of the library, `clickbank-cli`. For example, to print the sales of a week:
 *
 *     const client = createClient({ apiKey });
 *     const week = { startDate: '2026-03-01', endDate: '2026-03-07', type: 'SALE' } as const;
 *     for await (const { receipt, totalOrderAmount } of client.orders.list(week)) …
 *     await client.close();
 */
export { ApiError, type ErrorCode, type ErrorKind } from '../client/errors.ts';
export type * from '../client/exchange.ts';
export type { Decimal } from '../operations/decimal.ts';
export type { Finding, Remark } from '../operations/finding.ts';
export type * from '../safe-write/plan.ts';
export type * from './catalogue.ts';
export { type Client, createClient } from './client.ts';
export { fromEnvironment, fromProfile } from './credentials.ts';
export type * from './types.ts';
