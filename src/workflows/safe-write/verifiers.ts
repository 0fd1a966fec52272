/** The verifier of every operation that changes something. */
import type { services } from '../../operations/index.ts';
import type { Operation } from '../../operations/operation.ts';
import { products } from '../../operations/products.ts';
import { notices, notices2, notices3 } from '../../operations/shipping.ts';
import { addNotice } from './notice-verifier.ts';
import * as subscription from './subscription-verifier.ts';
import * as ticket from './ticket-verifiers.ts';
import { unlessRefused, type Values, type WriteVerifier } from './verifier.ts';

type Services = typeof services;
type AnyOperation = { [S in keyof Services]: Services[S][keyof Services[S]] }[keyof Services];

/** The commands of all operations whose method is not GET or HEAD. */
type WriteCommand = Exclude<AnyOperation, { readonly method: 'GET' | 'HEAD' }>['command'];

/** Why nothing that can be read shows whether the write was done. */
interface Unverifiable {
  readonly unverifiable: string;
}

/** Total: a new operation that changes something does not compile without an entry. */
const verifiers: Readonly<Record<WriteCommand, WriteVerifier | Unverifiable>> = {
  'tickets create': ticket.createTicket,
  'tickets close': ticket.closeTicket,
  'tickets reopen': ticket.reopenTicket,
  'tickets change': ticket.changeTicketType,
  'tickets comment': ticket.commentTicket,
  'tickets returned': ticket.returnTicket,
  'ship notice add --generation 1': addNotice(notices.list),
  'ship notice add --generation 2': addNotice(notices2.list),
  'ship notice add --generation 3': addNotice(notices3.list),
  'orders pause': subscription.pauseSubscription,
  'orders change-date': subscription.changePaymentDate,
  'orders reinstate': subscription.reinstateSubscription,
  'orders extend': subscription.extendSubscription,
  'orders change-product': subscription.changeProduct,
  'orders change-address': { unverifiable: 'orders do not show the shipping address' },
  'products save': { unverifiable: 'a product that looks as sent may have looked so before' },
  'products delete': deleteProduct(),
};

/** Undefined where the write can't be verified, so that a lost answer leaves its outcome unknown. */
export function verifierOf(operation: Pick<Operation, 'command'>): WriteVerifier | undefined {
  const entry = entryOf(operation);
  return entry && 'look' in entry ? entry : undefined;
}

/** Why the write can't be verified; undefined where it can. */
export function whyUnverifiable(operation: Pick<Operation, 'command'>): string | undefined {
  const entry = entryOf(operation);
  return entry && 'unverifiable' in entry ? entry.unverifiable : undefined;
}

function entryOf({ command }: Pick<Operation, 'command'>) {
  return Object.hasOwn(verifiers, command) ? verifiers[command as WriteCommand] : undefined;
}

/** A product that was there and is not any more. */
function deleteProduct(): WriteVerifier {
  return {
    async look(api, args) {
      const { sku, site } = args as Values;
      // Reading the product itself does not do: its 403 may mean too many requests.
      const found = await unlessRefused(() => api.call(products.list, { site: String(site) }));
      if (!found) return undefined;
      const exists = found.some((product) => product.sku === sku);
      return {
        snapshot: { exists },
        find: (_, before) => {
          const existed = (before as { readonly exists: boolean } | null)?.exists === true;
          return existed && !exists ? {} : undefined;
        },
      };
    },
  };
}
