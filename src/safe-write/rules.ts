/** The rules of every write: its description, its warnings, and its verifier. */
import type { Client } from '../client/client.ts';
import type { services } from '../operations/index.ts';
import { type Arguments, isSameId, isSameItem, type Operation } from '../operations/operation.ts';
import { products } from '../operations/products.ts';
import { notices, notices2, notices3 } from '../operations/shipping.ts';
import { irreversible, money, subjectOf } from './sentence.ts';
import { subscriptionRules } from './subscriptions.ts';
import { ticketRules } from './ticket-rules.ts';
import {
  type Fields,
  unlessRefused,
  type Values,
  type WriteRules,
  type WriteVerifier,
} from './verifier.ts';
import { gap, itemProblems, refusedIf } from './warnings.ts';

type List = typeof notices.list | typeof notices2.list | typeof notices3.list;

/** Identical notices are counted, since they can't be distinguished: one more than before is the new one. */
function noticeRules(list: List): WriteRules {
  return {
    async describe(reader, args: Values) {
      const subject = await subjectOf(reader, String(args.receipt), args.item);
      const { name, at, gaps, order, items } = subject;
      const isClear = items.filter(({ shippable }) => shippable).length < 2 && !args.item;
      const unclear = order && !isClear ? itemProblems(order, args.item?.toString()) : [];
      const isDigital = items.length > 0 && items.every(({ shippable }) => shippable === false);
      const refused = refusedIf(isDigital, `${args.receipt} has nothing to ship`);
      const parcel = [args.carrier, args.tracking].filter(Boolean).join(' ');
      const action = `Add a ship notice for ${name}${at}: ${parcel}, shipped on ${args.date}`;
      const details = args.fillOrder === true ? ['The whole order is marked as shipped.'] : [];
      return { action, details, gaps: [...gaps, ...unclear, ...refused] };
    },
    verify: {
      async look(client, args: Values) {
        const { carrier, tracking } = args;
        const receipt = String(args.receipt);
        const found = await unlessRefused<Fields[]>(() =>
          client.call(list as typeof notices2.list, { receipt }),
        );
        if (!found) return undefined;
        const equal = found.filter(isLike(args));
        const isMatch = equal.length > 0 && tracking !== undefined;
        return {
          ...(isMatch && {
            existingMatch: `${receipt} already has a ship notice with ${carrier} ${tracking}`,
          }),
          snapshot: equal.length,
          find(wanted: Values, before) {
            const now = found.filter(isLike(wanted));
            const isNew = typeof before === 'number' && now.length > before;
            return isNew ? { reply: now.at(-1) } : undefined;
          },
        };
      },
      mayMistake({ carrier, tracking, item }: Values, later: Values) {
        return isLike(later)({ carrier, trackingId: tracking, itemNo: item });
      },
    },
  };
}

/** Generation 1 shows no item numbers. */
function isLike({ carrier, tracking, item }: Values): (notice: Fields) => boolean {
  return (notice) =>
    isSameId(notice.carrier, carrier) &&
    isSameId(notice.trackingId ?? '', tracking ?? '') &&
    isSameItem(notice.itemNo, item);
}

type Services = typeof services;
type AnyOperation = { [S in keyof Services]: Services[S][keyof Services[S]] }[keyof Services];

type WriteCommand = Exclude<AnyOperation, { readonly method: 'GET' | 'HEAD' }>['command'];

/** Complete: a new write operation does not compile without an entry. */
const rules: Readonly<Record<WriteCommand, WriteRules>> = {
  ...ticketRules,
  ...subscriptionRules,
  'products save': {
    async describe(reader, args: Values) {
      const { sku, site, title, price, currency } = args;
      const looked = await reader.product(String(sku), String(site));
      const isFound = looked.state === 'found';
      const isNew = isFound && looked.value === undefined;
      const verb = isNew ? 'Create' : isFound ? 'Change' : 'Save';
      const product = `product ${sku} (${title}) of ${site}`;
      return {
        action: `${verb} ${product} with a price of ${money(String(price), String(currency))}`,
        details: isNew ? [] : ['Settings that are not given are erased.'],
        gaps: isFound ? [] : [gap(looked, `product ${sku}`)],
      };
    },
    verify: 'the product may have had the same values before',
  },
  'products delete': {
    async describe(reader, { sku, site }: Values) {
      const looked = await reader.product(String(sku), String(site));
      const isFound = looked.state === 'found';
      const title = isFound && looked.value?.title ? ` (${looked.value.title})` : '';
      return {
        action: `Delete product ${sku}${title} of ${site}`,
        details: [irreversible],
        gaps: isFound
          ? refusedIf(!looked.value, `${site} has no product ${sku}`)
          : [gap(looked, `product ${sku}`)],
      };
    },
    /** Verifies that an existing product is gone. */
    verify: {
      refusedIfThere: /already|not exist/i,
      async look(client, { sku, site }: Values) {
        // Reading the product itself is not enough: its 403 may mean too many requests.
        const found = await unlessRefused(() => client.call(products.list, { site: String(site) }));
        if (!found) return undefined;
        const exists = found.some((product) => product.sku === sku);
        return {
          snapshot: { exists },
          isThere: !exists,
          find: (_, before) => {
            const existed = (before as { readonly exists: boolean } | null)?.exists === true;
            return existed && !exists ? {} : undefined;
          },
        };
      },
    },
  },
  'ship notice add --generation 1': noticeRules(notices.list),
  'ship notice add --generation 2': noticeRules(notices2.list),
  'ship notice add --generation 3': noticeRules(notices3.list),
};

/** Returns undefined for a read. */
export function rulesOf({ command }: Pick<Operation, 'command'>): WriteRules | undefined {
  return Object.hasOwn(rules, command) ? rules[command as WriteCommand] : undefined;
}

/** Returns undefined if the write can't be verified; its outcome is unknown if the response is lost. */
export function verifierOf(operation: Pick<Operation, 'command'>): WriteVerifier | undefined {
  const verify = rulesOf(operation)?.verify;
  return typeof verify === 'object' ? verify : undefined;
}

/** A sentence about an equal ticket or ship notice that exists, without its final period. */
export async function existingMatch(client: Client, operation: Operation, args: Arguments) {
  return (await verifierOf(operation)?.look(client, args))?.existingMatch;
}

/** Why the write can't be verified; undefined if it can. */
export function whyUnverifiable(operation: Pick<Operation, 'command'>): string | undefined {
  const verify = rulesOf(operation)?.verify;
  return typeof verify === 'string' ? verify : undefined;
}
