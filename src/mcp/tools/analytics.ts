/** The tool `analytics`: figures of ClickBank by affiliate, country, product or tracking ID. */
import { analytics as operations } from '../../operations/analytics.ts';
import { operationArguments } from '../rows/arguments.ts';
import { type Paging, pagingArguments, readPart } from '../rows/paging.ts';
import { present, type ToolRow } from '../rows/pick.ts';
import { argumentsFor, inputOf, text } from '../rows/schemas.ts';
import type { Tool } from '../tool.ts';
import { accountFrom } from './accounts.ts';
import { listOutput, listResult } from './lists.ts';

const { dimension } = operations;

export const analytics: Tool = {
  name: 'analytics',
  title: 'Analytics',
  description:
    'Show figures of ClickBank analytics by dimension: hops, sales, refund rates, earnings per hop and others, in USD. Default: yesterday and today, role VENDOR.',
  writes: false,
  writtenByOthers: ['name, for tracking IDs'],
  input: inputOf(
    {
      ...argumentsFor(dimension.params, 'dimension', 'role', 'startDate', 'endDate'),
      account: text('Nickname of the account; needed if the key has several'),
      select: { type: 'array', items: text(), description: 'Metrics such as SALE_COUNT' },
      orderBy: text('Metric such as REFUND_RATE, highest first'),
      ...pagingArguments,
    },
    ['dimension'],
  ),
  output: listOutput({
    type: 'object',
    properties: { name: text(), account: text(), figures: { type: 'object' } },
  }),
  async run(args, call) {
    const { limit, cursor, ...filters } = args as Paging & Record<string, unknown>;
    const account = await accountFrom('account', filters.account, call);
    const given = { role: 'VENDOR', ...filters, account };
    const asked = operationArguments(dimension, given, call.today);
    const { rows, next } = await readPart(call.client, dimension, asked, { limit, cursor });
    const shown = rows.map(rowFrom);
    const flat = shown.map(({ figures, ...row }) => ({ ...row, ...(figures as ToolRow) }));
    const names = [...new Set(flat.flatMap((row) => Object.keys(row)))];
    const result = listResult('row', names, { rows: flat, next }, ` by ${asked.dimension}`);
    return { ...result, data: { ...result.data, rows: shown } };
  },
};

interface Row {
  readonly dimensionValue?: string | null;
  readonly accountNickName?: string | null;
  readonly data?: readonly { readonly attribute?: unknown; readonly value?: unknown }[] | null;
}

function rowFrom({ dimensionValue, accountNickName, data }: Row): ToolRow {
  const figures = (data ?? []).map(({ attribute, value }) => [String(attribute), value] as const);
  return present({
    name: dimensionValue,
    account: accountNickName,
    figures: present(Object.fromEntries(figures)),
  });
}
