/** What a program imports: the client, its error, its types, and the operations of the service. */
export { services } from '../operations/index.ts';
export type { Arguments, Operation, Reply } from '../operations/operation.ts';
export type { Decimal, Row } from '../operations/resource.ts';
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type PageOptions,
} from './client.ts';
export { type Clock, realClock } from './clock.ts';
export { ApiError, type ErrorCode, type ErrorKind } from './errors.ts';
export type { RowPage } from './paging/lists.ts';
