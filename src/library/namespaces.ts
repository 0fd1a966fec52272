/** The operations under the names of their commands: `cb ship notice add` is `client.ship.notices.add`. */
import { groupedAnalytics } from '../operations/analytics.ts';
import { services } from '../operations/index.ts';

const { orders, tickets, products, images, quickstats } = services;
const { shipping, shipping2, shipping3, notices, notices2, notices3 } = services;

/** Each operation of the catalogue once. */
export const namespaces = {
  orders,
  tickets,
  products,
  images,
  quickstats,
  analytics: groupedAnalytics,
  /** The newest generation; the live service keeps the older ones. */
  ship: {
    ...shipping3,
    notices: notices3,
    generation1: { ...shipping, notices },
    generation2: { ...shipping2, notices: notices2 },
  },
};
