/** Rules for adding ship notices, in all three generations of the API. */
import { notices, notices2, notices3 } from '../../operations/shipping.ts';
import type { Reader } from './reads.ts';
import { subjectOf } from './sentence.ts';
import {
  type Fields,
  unlessRefused,
  type Values,
  type WriteRules,
  type WriteVerifier,
} from './verifier.ts';

async function describeNotice(reader: Reader, args: Values) {
  const { name, at, gaps } = await subjectOf(reader, String(args.receipt), args.item);
  const parcel = [args.carrier, args.tracking].filter(Boolean).join(' ');
  const action = `Add a ship notice for ${name}${at}: ${parcel}, shipped on ${args.date}`;
  const details = args.fillOrder === true ? ['The whole order is marked as shipped.'] : [];
  return { action, details, gaps };
}

type List = typeof notices.list | typeof notices2.list | typeof notices3.list;

/** Identical notices are counted, since they can't be distinguished: one more than before is the new one. */
function addNotice(list: List): WriteVerifier {
  return {
    async look(client, args: Values) {
      const { receipt, carrier, tracking } = args;
      const found = await unlessRefused(
        () =>
          client.call(list as typeof notices2.list, { receipt: String(receipt) }) as Promise<
            Fields[]
          >,
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
  };
}

/** Generation 1 shows no item numbers. */
function isLike({ carrier, tracking, item }: Values): (notice: Fields) => boolean {
  return (notice) =>
    notice.carrier === carrier &&
    (notice.trackingId ?? undefined) === tracking &&
    (item === undefined || notice.itemNo === undefined || notice.itemNo === item);
}

export const noticeRules = {
  'ship notice add --generation 1': { describe: describeNotice, verify: addNotice(notices.list) },
  'ship notice add --generation 2': { describe: describeNotice, verify: addNotice(notices2.list) },
  'ship notice add --generation 3': { describe: describeNotice, verify: addNotice(notices3.list) },
} satisfies Record<string, WriteRules>;
