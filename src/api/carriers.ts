/** Which carrier takes a request: the first goes the way that is ready soonest. */
import { openHttp } from './carrier-http.ts';
import type { Carrier, TransportOptions } from './transport.ts';

/**
 * Most commands ask once, and undici takes longer to load than all else that cb does: it carries what
 * follows the first request, such as all pages of a list but one.
 */
export function openCarriers(options: TransportOptions): Carrier {
  const first = openHttp(options);
  let others: Promise<Carrier> | undefined;
  let isFirst = true;
  return {
    async request(asked) {
      if (isFirst) {
        isFirst = false;
        return first.request(asked);
      }
      others ??= import('./carrier-undici.ts').then(({ openUndici }) => openUndici(options));
      return (await others).request(asked);
    },
    async destroy() {
      await Promise.all([first.destroy(), (await others)?.destroy()]);
    },
  };
}
