/** Every operation of the service. */
import { analytics } from './analytics.ts';
import type { Operation } from './operation.ts';
import { orders } from './orders.ts';
import { images, products } from './products.ts';
import { quickstats } from './quickstats.ts';
import { notices, notices2, notices3, shipping, shipping2, shipping3 } from './shipping.ts';
import { tickets } from './tickets.ts';

export const services = {
  analytics,
  tickets,
  orders,
  products,
  images,
  quickstats,
  shipping,
  shipping2,
  shipping3,
  notices,
  notices2,
  notices3,
};

export const catalogue: readonly Operation[] = Object.values(services).flatMap(
  (service): Operation[] => Object.values(service),
);
