/** A client whose requests end with a signal. */
import type { Client } from '../client/client.ts';

/** Workflows get this client, so that canceling a call also aborts their requests. */
export function boundClient(client: Client, signal: AbortSignal): Client {
  const joined = (own: AbortSignal | undefined) => (own ? AbortSignal.any([own, signal]) : signal);
  return {
    ...client,
    call: (operation, args, options) =>
      client.call(operation, args, { ...options, signal: joined(options?.signal) }),
    exchange: (operation, args, options) =>
      client.exchange(operation, args, { ...options, signal: joined(options?.signal) }),
    list: (operation, args, options) =>
      client.list(operation, args, { ...options, signal: joined(options?.signal) }),
    pages: (operation, args, options) =>
      client.pages(operation, args, { ...options, signal: joined(options?.signal) }),
  };
}
