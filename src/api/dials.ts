/** How often a service is connected to in vain. */
import { ApiError } from './errors.ts';
import type { Carrier } from './transport.ts';

export interface Dials {
  /** Takes note of a connection; throws an ApiError where too many brought no answer. */
  next(): void;
  /** The same carrier, whose answers are taken note of. */
  heard(carrier: Carrier): Carrier;
}

/**
 * undici opens connection after connection to a server that speaks before it is asked, such as one for
 * mail, and asks nothing. So many requests as may be under way, each tried a few times, need no more.
 */
export function dialsOf({ connections }: { readonly connections: number }): Dials {
  const most = 20 + 10 * connections;
  let inVain = 0;
  return {
    next() {
      inVain += 1;
      if (inVain <= most) return;
      throw new ApiError('network', 'no connection lasts until a request can be sent', {
        maybeDone: true,
        hint: 'check the base URL: is the port one for web services?',
      });
    },
    heard: (carrier) => ({
      async request(asked) {
        const reply = await carrier.request(asked);
        inVain = 0;
        return reply;
      },
      destroy: () => carrier.destroy(),
    }),
  };
}
