/** Quickstats: /1.3/quickstats (section 4.5 of the specification; parameters of the live service). */
import { beginsInTime, date, type Given, list, operation, schemaOf, text } from './operation.ts';
import * as field from './resource.ts';

const { alike, many, naming, nillable, resource } = field;

/** One day of one account; in a count, the whole period with a date of null. */
export const quickStat = resource(
  'quickstatsData',
  ['quickStatDate', 'sale', 'refund', 'chargeback'],
  {
    quickStatDate: nillable(field.time),
    ...alike(nillable(field.decimal), 'sale', 'refund', 'chargeback'),
  },
);

/** An account with its figures in US dollars. */
export const account = resource('accountData', ['nickName', 'quickStats'], {
  nickName: naming('account', nillable(field.text)),
  quickStats: nillable(many(quickStat)),
});

const nickname = resource('accountData', ['nickName'], {
  nickName: naming('account', nillable(field.text)),
});

const reading = { method: 'GET', roles: ['api_order_read'], isPacific: true } as const;

const search = {
  startDate: date('First day', {
    range: { name: 'period', end: 'first' },
    fallback: '45 days ago',
  }),
  endDate: date('Last day', { range: { name: 'period', end: 'last' }, fallback: 'today' }),
  account: text('Nickname of the account', {
    fallback: 'all accounts of the key',
    names: 'account',
  }),
};

const check = (args: Given, today: string) => [beginsInTime(args, today, 45)];

export const quickstats = {
  list: operation({
    ...reading,
    path: '/1.3/quickstats/list',
    command: 'quickstats list',
    summary: 'List sales, refunds and chargebacks by account and day',
    params: search,
    returns: list(account),
    check,
    examples: ['cb quickstats list --period last-7-days', 'cb quickstats list -o csv'],
  }),

  count: operation({
    ...reading,
    path: '/1.3/quickstats/count',
    command: 'quickstats count',
    summary: 'Show total sales, refunds and chargebacks by account',
    params: search,
    returns: list(account),
    check,
    examples: ['cb quickstats count --period this-month'],
  }),

  accounts: operation({
    ...reading,
    path: '/1.3/quickstats/accounts',
    command: 'quickstats accounts',
    summary: 'List the accounts that the key may read',
    params: {},
    returns: list(nickname),
    examples: ['cb quickstats accounts'],
  }),

  schema: schemaOf('/1.3/quickstats/schema', 'quickstats schema', 'quickstats'),
};
