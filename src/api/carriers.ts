/** Which carrier takes a request: the first goes the way that is ready soonest. */
import { openHttp } from './carrier-http.ts';
import type { Carrier, TransportOptions } from './transport.ts';

/**
 * Most commands ask once, and undici takes longer to load than all else that cb does: it carries what
 * follows the first request, such as all pages of a list but one.
 */
export function openCarriers(options: TransportOptions): Carrier {
  return options.proxy ? openLater(() => openOthers(options)) : openTwo(options);
}

function openTwo(options: TransportOptions): Carrier {
  const first = openHttp(options);
  const others = openLater(() => openOthers(options));
  let isFirst = true;
  return {
    async request(asked) {
      if (isFirst) {
        isFirst = false;
        return first.request(asked);
      }
      return others.request(asked);
    },
    async destroy() {
      await Promise.all([first.destroy(), others.destroy()]);
    },
  };
}

async function openOthers(options: TransportOptions): Promise<Carrier> {
  if (options.proxy) {
    return (await import('./carrier-proxy.ts')).openProxied(options, options.proxy);
  }
  return (await import('./carrier-undici.ts')).openUndici(options);
}

/** Opened by its first request. */
function openLater(open: () => Promise<Carrier>): Carrier {
  let opened: Promise<Carrier> | undefined;
  return {
    async request(asked) {
      opened ??= open();
      return (await opened).request(asked);
    },
    async destroy() {
      await (await opened)?.destroy();
    },
  };
}
