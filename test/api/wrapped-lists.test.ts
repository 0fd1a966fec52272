/** Lists of analytics stand in wrappers: the rows come through, whichever wrapper the service uses. */
import { expect, test } from 'vitest';
import { replyOf } from '../../src/api/reply.ts';
import { analytics } from '../../src/operations/analytics.ts';

function trendsIn(text: string) {
  return replyOf(analytics.trends, { status: 200, headers: {}, body: text });
}

const one = '{"itemNo":"CLUB-M","grossSales":"29.00"}';

test.each([
  ['several in data.row', `{"totalCount":"2","data":{"row":[${one},${one}]}}`, 2],
  ['one in data.row', `{"totalCount":"1","data":{"row":${one}}}`, 1],
  ['none in data.row', '{"totalCount":"0","data":{"row":null}}', 0],
  ['several in rows.row, as recorded once', `{"rows":{"row":[${one},${one}]}}`, 2],
  ['one in rows.row', `{"rows":{"row":${one}}}`, 1],
  ['none in rows.row', '{"rows":{"row":null}}', 0],
])('reads trends: %s', (_, body, rows) => {
  const found = trendsIn(body);
  expect(found).toHaveLength(rows);
  for (const row of found) expect(row).toMatchObject({ itemNo: 'CLUB-M' });
});

test('reads trends in XML, also where there are none', () => {
  const row = '<row><itemNo>CLUB-M</itemNo></row>';
  const wrapped = (count: number, rows: string) =>
    `<SubscriptionTrendsData><totalCount>${count}</totalCount><data>${rows}</data></SubscriptionTrendsData>`;
  expect(trendsIn(wrapped(2, row + row))).toMatchObject([
    { itemNo: 'CLUB-M' },
    { itemNo: 'CLUB-M' },
  ]);
  expect(trendsIn(wrapped(0, ''))).toEqual([]);
});
