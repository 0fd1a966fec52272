/** How the rows of a metric are shown. */

import { LosslessNumber } from 'lossless-json';
import {
  day,
  decimal,
  type Field,
  headed,
  integer,
  naming,
  type Resource,
  text,
} from '../../operations/resource.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import type { CopyView, ViewColumn, ViewColumnKind } from '../../workflows/sync/views/view.ts';
import type { ChartFacts } from '../display/chart.ts';
import { figuresOf, metricName } from './metric-names.ts';

const fields: Readonly<Record<ViewColumnKind, Field>> = {
  text,
  day,
  month: day,
  count: integer,
  amount: decimal,
  percent: decimal,
};

function fieldOf({ name, kind }: ViewColumn): Field {
  if (name === 'account' || name === 'nickname') return naming('account', text);
  if (name === 'product') return naming('sku', text);
  if (kind === 'percent') return headed(heading(name.replace(/_percent$/, ' %')), fields[kind]);
  return /mrr/.test(name) ? headed(heading(name), fields[kind]) : fields[kind];
}

function heading(name: string): string {
  const words = name.replaceAll('_', ' ').replace('mrr', 'MRR');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Columns that most copies have only one value in; a table shows the others first. */
const usual = ['account', 'role', 'vendor', 'nickname'];

export function resourceOf({ name, columns }: CopyView): Resource {
  const names = columns.map((column) => column.name);
  return {
    element: name,
    headline: [
      ...names.filter((one) => !usual.includes(one)),
      ...names.filter((one) => usual.includes(one)),
    ],
    fields: Object.fromEntries(columns.map((column) => [column.name, fieldOf(column)])),
  };
}

export function chartOf(view: CopyView): ChartFacts {
  const dated = view.columns.find(({ kind }) => kind === 'day') ?? monthOf(view);
  const names = view.columns.filter(({ kind }) => kind === 'text');
  return {
    names: [...names.map(({ name }) => name), ...(view.name === 'cohorts' ? ['cohort'] : [])],
    figures: figuresOf(view).map(({ name }) => name),
    standard: view.charts,
    ...(dated && view.name !== 'repeat_customers' && { day: dated.name }),
  };
}

/** The column with the month of the figures: in cohorts, it is the second month. */
function monthOf({ columns }: CopyView): ViewColumn | undefined {
  return columns.findLast(({ kind }) => kind === 'month');
}

export const listResource: Resource = {
  element: 'metric',
  headline: ['name', 'shows'],
  fields: { name: text, shows: text },
};

export function listRow(view: CopyView): Row {
  return { name: metricName(view), shows: `${view.summary}.` };
}

/** Values of a driver as cb prints them: amounts have two decimals in both databases. */
export function rowFrom({ columns }: CopyView, found: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(columns.map(({ name, kind }) => [name, cellValue(found[name], kind)]));
}

function cellValue(value: unknown, kind: ViewColumnKind): Value {
  if (value === null || value === undefined) return null;
  if (kind === 'count') return Number(value);
  if (kind === 'amount' || kind === 'percent') return new LosslessNumber(withCents(String(value)));
  return String(value);
}

/** SQLite returns doubles, PostgreSQL exact digits. */
function withCents(digits: string): string {
  return /^-?\d+\.\d\d$/.test(digits) ? digits : Number(digits).toFixed(2);
}
