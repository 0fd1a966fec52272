/** Generated subscriptions and analytics of a large shop. */
import { addDays, type Day } from '../../../src/dates/day.ts';
import { randomFrom, type ShopSize } from './shop-rows.ts';

type Row = Readonly<Record<string, unknown>>;

const frequencies = ['EVERY MONTH', 'EVERY MONTH', 'EVERY MONTH', 'EVERY YEAR', 'EVERY 3 MONTHS'];

/** One subscription for ten orders; most of them have ended. */
export function shopSubscriptions(last: Day, { orders, days }: ShopSize): Row[] {
  const random = randomFrom(11);
  return Array.from({ length: Math.ceil(orders / 10) }, (_, i) => {
    const age = Math.floor(days * random());
    const ended = Math.floor(age * random());
    const hasEnded = random() < 0.7;
    return {
      role: 'VENDOR',
      receipt: i.toString(36).toUpperCase().padStart(8, 'A'),
      itemNo: `product-${i % 40}`,
      pubNickName: 'ACMESHOP',
      status: hasEnded ? 'CANCELED' : 'ACTIVE',
      cancelled: hasEnded,
      currencyCode: random() < 0.85 ? 'USD' : 'EUR',
      frequency: frequencies[i % frequencies.length],
      purchaseDate: `${addDays(last, -age)}T12:00:00-08:00`,
      ...(hasEnded && { subCancelDate: `${addDays(last, -ended)}T12:00:00-08:00` }),
      initialSaleAmount: '29.00',
      initialSaleCount: 1,
      rebillSaleAmount: '87.00',
      rebillSaleCount: 3,
      email: `ada.sample${Math.floor(orders * 0.6 * random())}@example.com`,
    };
  });
}

/** ClickBank keeps a year, and names the 150 largest tracking IDs of a day. */
export function* shopClicks(
  last: Day,
): Generator<{ readonly day: Day; readonly rows: readonly Row[] }> {
  const random = randomFrom(13);
  for (let i = 0; i < 364; i++) {
    const day = addDays(last, i - 363);
    const values = Array.from({ length: 150 }, (_, k) => k + Math.floor(random() * 40) * 150);
    yield {
      day,
      rows: values.map((value) => ({
        nickname: 'ACMESHOP',
        role: 'VENDOR',
        dimension: 'TRACKING_ID',
        day,
        dimensionValue: `campaign${value}`,
        data: [
          { attribute: 'HOP_COUNT', value: Math.floor(random() * 500) },
          { attribute: 'SALE_COUNT', value: Math.floor(random() * 9) },
          { attribute: 'NET_SALE_AMOUNT', value: (random() * 300).toFixed(2) },
        ],
      })),
    };
  }
}
