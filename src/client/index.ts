/**
 * The public interface of the library. For example, to print the sales of a week:
 *
 *     const client = createClient({ apiKey });
 *     const week = { startDate: '2026-03-01', endDate: '2026-03-07', type: 'SALE' } as const;
 *     for await (const { receipt, totalOrderAmount } of client.list(services.orders.list, week)) ...
 *     await client.close();
 */
export { services } from '../operations/index.ts';
export type { Arguments, Operation, Reply } from '../operations/operation.ts';
export type { Decimal, Row } from '../operations/resource.ts';
export type { Finding } from '../operations/validate.ts';
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type PageOptions,
} from './client.ts';
export { type Clock, realClock } from './clock.ts';
export { ApiError, type ErrorCode, type ErrorKind } from './errors.ts';
export type { RowPage } from './paging/row-page.ts';
