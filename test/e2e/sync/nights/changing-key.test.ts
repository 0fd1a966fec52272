/**
 * Sixty nights, or a sixth of them in `npm test`, with a key that reads more, then fewer, then more nicknames, while lists
 * are suddenly empty and rows move between pages: the copy equals what an independent reader sees, or names the days that it lacks.
 */
import { expect, test } from 'vitest';
import type { SqlReader } from '../../../../src/features/sync/destination.ts';
import { clientOf } from '../../../support/client.ts';
import { movedRows, type Passed, startGateway } from '../../../support/gateway.ts';
import { isLong, tier } from '../../../support/tier.ts';
import { type Difference, differencesOf, sourceOf } from './compare.ts';
import { happenings } from './events.ts';
import { listedNow } from './service.ts';
import { openPlace, openShop, type Shop } from './shop.ts';

const tables = ['orders', 'tickets', 'products', 'quickstats', 'subscriptions', 'shipments'];

/** The same plan in a sixth of the nights in `npm test`. */
const scaled = (night: number) => Math.floor(tier(night / 6, night));

/** The key of a night: one nickname, all of them, one, all. */
const phases = [
  { until: scaled(12), key: 'vendor' },
  { until: scaled(30), key: 'full' },
  { until: scaled(45), key: 'vendor' },
  { until: scaled(60), key: 'full' },
] as const;

const faults = {
  subscriptions: [3, 20, 33, 50],
  products: [5, 22, 34, 52],
  pages: [0, 8, 13, 18, 26, 36, 45, 55],
};

/** Each fault happens once in its night, and is counted. */
function faultyService() {
  const done = { subscriptions: 0, products: 0, pages: 0 };
  const left = new Set<keyof typeof faults>();
  const happens = (name: keyof typeof faults) => {
    if (!left.delete(name)) return false;
    done[name] += 1;
    return true;
  };
  const isVendor = ({ query }: Passed) =>
    [query.get('account'), query.get('site')].includes('GREENLEAF');
  const change = async (passed: Passed): Promise<string | undefined> => {
    const path = passed.path.toLowerCase();
    const isSubscriptions = path === '/analytics/vendor/subscription/details' && isVendor(passed);
    if (isSubscriptions && happens('subscriptions')) return '{"totalCount":"0"}';
    const isProducts = path === '/products/list' && isVendor(passed);
    if (isProducts && happens('products')) return '{"total_record_count":"0"}';
    const isMoved = path === '/orders2/list' && passed.page === 2 && happens('pages');
    return isMoved ? movedRows(passed) : undefined;
  };
  const begin = (night: number) => {
    left.clear();
    for (const [name, nights] of Object.entries(faults)) {
      if (nights.map(scaled).includes(night)) left.add(name as keyof typeof faults);
    }
  };
  return { done, change, begin };
}

type State = Readonly<Record<'source' | 'day' | 'names', string>>;

/** What the copy says to lack of these nicknames, read from its tables of state. */
async function lackedBy(copy: SqlReader, nicknames: readonly string[]) {
  const isWhole = ({ names }: { names: string }) =>
    nicknames.every((name) => JSON.parse(names).includes(name));
  const read = (columns: string, table: string) =>
    copy.query<State>(`SELECT ${columns}, nicknames AS names FROM ${table}`);
  const days = await read('source, day', 'sync_days');
  const lists = await read('source', 'sync_reads');
  const complete = new Set(days.filter(isWhole).map(({ source, day }) => `${source} ${day}`));
  const partial = new Set(lists.filter((one) => !isWhole(one)).map(({ source }) => source));
  return ({ table, day }: Difference) => {
    const source = sourceOf(table);
    return partial.has(source) || (day !== undefined && !complete.has(`${source} ${day}`));
  };
}

async function differences(copy: SqlReader, shop: Shop, apiKey: string) {
  const client = clientOf(shop.sandbox.url, { apiKey });
  const asked = { ...shop.asked(), client, tables };
  return differencesOf(copy, await listedNow(asked), asked);
}

/** The long tier compares every night; `npm test` those around a change of the key. */
function isCompared(night: number): boolean {
  const changes = phases.map(({ until }) => until);
  return isLong || changes.some((until) => night === until || night === until - 1);
}

test('equals an independent reader each night, or names the days that it lacks', {
  timeout: 1_200_000,
}, async () => {
  const shop = await openShop(700);
  const { sandbox, keyOf } = shop;
  const { accounts: nicknames = [] } = sandbox.keys.find(({ key }) => key === keyOf('full')) ?? {};
  const service = faultyService();
  const gateway = await startGateway(sandbox.url, sandbox.now, service.change);
  const { cb, place, openReader } = await openPlace();
  const { first } = shop.asked();
  let lastFullDay = '';
  let named = 0;
  for (let night = 0; night < scaled(60); night++) {
    const phase = phases.findIndex(({ until }) => night < until);
    const { key = 'full' } = phases[phase] ?? {};
    service.begin(night);
    const line = `sync ${place} --tables ${tables} --since ${first}`;
    const env = { CB_BASE_URL: gateway.url, CB_API_KEY: keyOf(key) };
    const { code, err } = await cb(line, { env, now: sandbox.now });
    const hasLost = phase === 2;
    expect({ night, code, err }).toMatchObject({ code: hasLost ? 8 : 0 });
    if (phase === 1) lastFullDay = shop.today();
    if (isCompared(night)) {
      const copy = await openReader();
      // Before the key has read all nicknames, the copy is that of its one nickname.
      const found = await differences(copy, shop, keyOf(phase === 0 ? 'vendor' : 'full'));
      const isNamed = await lackedBy(copy, nicknames);
      await copy.close();
      const silent = hasLost ? found.filter((one) => !isNamed(one)) : found;
      expect({ night, silent: silent.slice(0, 3) }).toEqual({ night, silent: [] });
      named += found.length;
      // Nothing was deleted that the key read before.
      const gone = found.filter(({ field, copy, service, day = '9999' }) => {
        const isMissing = field === 'row' && copy === undefined && service !== undefined;
        return isMissing && day < lastFullDay;
      });
      expect({ night, gone }).toEqual({ night, gone: [] });
    }
    await sandbox.advance(86_400);
    await happenings({ client: shop.client, today: shop.today(), night });
  }
  expect(named).toBeGreaterThan(isLong ? 100 : 30);
  expect(service.done).toEqual({ subscriptions: 4, products: 4, pages: 8 });
});
