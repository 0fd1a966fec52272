/** The columns of the rows that `cb sync` and its relatives print. */
import * as field from '../../operations/resource.ts';

const { alike, decimal, headed, integer, naming, nillable, resource, text } = field;

const account = { account: naming('account', text), table: text };

export const syncedResource = resource(
  'table',
  ['account', 'table', 'outcome', 'rows', 'windows', 'requests', 'message'],
  {
    ...account,
    outcome: text,
    ...alike(integer, 'rows', 'windows', 'requests'),
    message: nillable(text),
  },
);

export const planResource = resource(
  'table',
  ['account', 'table', 'reason', 'firstDay', 'lastDay', 'windows', 'rows', 'requests', 'minutes'],
  {
    ...account,
    reason: text,
    ...alike(nillable(field.day), 'firstDay', 'lastDay'),
    ...alike(integer, 'windows', 'rows', 'requests'),
    minutes: decimal,
  },
);

export const statusResource = resource(
  'table',
  [
    'account',
    'table',
    'rows',
    'newestDay',
    'oldestRefresh',
    'missingDays',
    'lastRead',
    'lagMinutes',
    'lastRun',
    'outcome',
  ],
  {
    ...account,
    rows: integer,
    newestDay: nillable(field.day),
    oldestRefresh: nillable(field.time),
    missingDays: integer,
    lastRead: nillable(field.time),
    lagMinutes: headed('Lag (min)', nillable(integer)),
    lastRun: nillable(field.time),
    outcome: headed('Last outcome', nillable(text)),
  },
);

export const checkResource = resource(
  'window',
  ['account', 'table', 'figure', 'firstDay', 'lastDay', 'copy', 'service', 'difference'],
  {
    ...account,
    figure: text,
    ...alike(field.day, 'firstDay', 'lastDay'),
    ...alike(decimal, 'copy', 'service', 'difference'),
  },
);
