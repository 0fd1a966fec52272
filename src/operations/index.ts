/** Every operation of the service that cb knows. */
import type { Operation } from './operation.ts';
import { orders } from './orders.ts';

export { orders };

export const catalogue: readonly Operation[] = [...Object.values(orders)];
