/** The rows of `cb approve` without an ID. */
import { decimal, resource, text, time } from '../../operations/resource.ts';

export const planResource = resource(
  'plan',
  ['id', 'action', 'refund', 'currency', 'expires'],
  {
    id: text,
    action: text,
    refund: decimal,
    currency: text,
    warnings: text,
    profile: text,
    service: text,
    madeBy: text,
    expires: time,
  },
  { noun: 'plan' },
);
