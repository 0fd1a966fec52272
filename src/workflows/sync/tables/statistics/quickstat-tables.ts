/** quickstats: what each nickname sold, refunded and lost by day (section 4.5 of the specification). */
import { quickStat, quickstats } from '../../../../operations/quickstats.ts';
import { resource } from '../../../../operations/resource.ts';
import { pacificDayOf } from '../cells.ts';
import { distinctBy } from '../distinct.ts';
import type { DatedSource } from '../source.ts';
import { column, type Table } from '../table.ts';

const quickstatsTable: Table = {
  name: 'quickstats',
  comment: 'Sales, refunds and chargebacks by nickname and day; a day without any has no row',
  since: 2,
  key: ['nickname', 'day'],
  day: 'day',
  columns: [
    column('nickname', 'text', 'Nickname whose figures these are', 'nickName'),
    column('day', 'day', 'Pacific day', (facts) => facts.day),
    column('sale', 'numeric', 'What sales and rebills earned, in US dollars', 'sale'),
    column('refund', 'numeric', 'What refunds took back, in US dollars, positive', 'refund'),
    column(
      'chargeback',
      'numeric',
      'What chargebacks took back, in US dollars, positive',
      'chargeback',
    ),
  ],
};

const keyOf = ({ nickName, quickStatDate }: Readonly<Record<string, unknown>>) =>
  `${nickName}.${quickStatDate}`;

export const quickstatSource: DatedSource = {
  name: 'quickstats',
  kind: 'days',
  tables: [quickstatsTable],
  identity: 'day',
  owner: 'nickname',
  resource: resource('quickstatsData', [], {
    ...quickStat.fields,
    // A row of the list is an account with its days; in the copy, each day names its account.
    nickName: { kind: 'text', nillable: false },
  }),
  isDaily: true,
  isJoined: true,
  windowDays: 366,
  requestsOf: () => 1,
  dayOf: ({ quickStatDate }) => pacificDayOf(quickStatDate),
  async *read({ client, signal }, { days: { first, last } }) {
    const args = { startDate: first, endDate: last };
    const accounts = await client.call(quickstats.list, args, { signal });
    const rows = accounts.flatMap(({ nickName, quickStats }) =>
      (quickStats ?? []).map((stat) => ({ nickName, ...stat })),
    );
    yield { rows: distinctBy(keyOf)(rows) };
  },
  idOf: keyOf,
};
