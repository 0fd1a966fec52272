/** The verifier of the writes that add ship notices. */
import type { notices, notices2, notices3 } from '../../operations/shipping.ts';
import { type Fields, unlessRefused, type Values, type WriteVerifier } from './verifier.ts';

type List = typeof notices.list | typeof notices2.list | typeof notices3.list;

/** Equal notices can't be told apart, so they are counted: one more than before is the new one. */
export function addNotice(list: List): WriteVerifier {
  return {
    async look(api, args) {
      const { receipt, carrier, tracking } = args as Values;
      const found = await unlessRefused(
        () =>
          api.call(list as typeof notices2.list, { receipt: String(receipt) }) as Promise<Fields[]>,
      );
      if (!found) return undefined;
      const equal = found.filter(isLike(args as Values));
      const isMatch = equal.length > 0 && tracking !== undefined;
      return {
        ...(isMatch && {
          existingMatch: `${receipt} already has a ship notice with ${carrier} ${tracking}`,
        }),
        snapshot: equal.length,
        find(wanted, before) {
          const now = found.filter(isLike(wanted as Values));
          const isNew = typeof before === 'number' && now.length > before;
          return isNew ? { reply: now.at(-1) } : undefined;
        },
      };
    },
    mayMistake(earlier, later) {
      const { carrier, tracking, item } = earlier as Values;
      return isLike(later as Values)({ carrier, trackingId: tracking, itemNo: item });
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
