import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import { startSandbox } from '../../../src/sandbox/http/server.ts';
import { home, now } from '../../support/cb.ts';
import { servedHome } from '../../support/served-home.ts';
import { serve } from '../../support/server.ts';

const schemas = catalogue.flatMap(({ returns, examples }) =>
  returns.kind === 'schema' ? [examples[0]?.replace(/^cb /, '') ?? ''] : [],
);

describe('a schema command without a key', () => {
  test('is sent without the Authorization header, for all 16 schemas of the specification', async () => {
    const server = await serve((reply) => reply.end('<schema/>'));
    const { cb } = home();
    for (const line of schemas) {
      const { code, out } = await cb(line, { env: { CB_BASE_URL: server.url } });
      expect({ line, code, out }).toEqual({ line, code: 0, out: '<schema/>\n' });
    }
    expect(server.asked.length).toBeGreaterThanOrEqual(16);
    expect(server.asked.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });

  test('gets the schema from the sandbox', async () => {
    const { cb, folder } = home();
    const file = join(folder, 'sandbox.sqlite');
    const sandbox = await startSandbox({ file, now: () => now, seed: { orders: 60 } });
    const ran = await cb('products schema', { env: { CB_BASE_URL: sandbox.url } });
    await sandbox.close();
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('xs:schema') });
  });

  test('uses a key if one is available', async () => {
    const { cb, asked } = await servedHome((reply) => reply.end('<schema/>'));
    await cb('orders schema');
    expect(asked[0]?.headers.authorization).toBe('API-TEST');
  });
});

describe('CB_API_KEY', () => {
  const odd = 'Q7RX2MPL9CANARY4TZ8';
  const write = 'tickets create A1 --type tech --reason ticket.type.tech_support.9 --yes';
  test.each([
    ['orders count --period today', odd, 1],
    [write, odd, 1],
    ['orders count --period today', 'API-Q7RX2MPL9CANARY4TZ8', 0],
    ['orders count --period today', 'DEV-Q7RX2MPL9CANARY:API-Q7RX2MPL9', 0],
  ])('is used by cb %s as it is: %s, with %i warnings of its prefix', async (line, key, count) => {
    const { cb, asked } = await servedHome((reply) => reply.end('5'), { key });
    const { err } = await cb(line);
    expect(err.match(/warning: CB_API_KEY does not begin with/g) ?? []).toHaveLength(count);
    expect(err).not.toContain('CANARY');
    expect(asked[0]?.headers.authorization).toBe(key);
  });
});

describe('permissions', () => {
  const permissions: readonly (readonly [text: string, roles: string[] | null])[] = [
    [
      'ROLE_API_ORDER_READ\nROLE_HAS_DEVELOPER_KEY\nAPI-TESTKEY1',
      ['api_order_read', 'HAS_DEVELOPER_KEY'],
    ],
    ['Roles: [role_api_products_client, ROLE_USER] key: API-TESTKEY1', ['api_products_client']],
    ['api_order_read\napi_order_write\nAPI-TESTKEY1\n', ['api_order_read', 'api_order_write']],
    ['API-TESTKEY1\n', []],
    ['SUPER_READER\nAPI-TESTKEY1\n', null],
  ];

  test.each(permissions)('are read by whoami and doctor from %j', async (text, roles) => {
    const { cb, url } = await servedHome((reply) => reply.end(text), { key: 'API-TESTKEY1' });
    const whoami = await cb('whoami -o json');
    expect(JSON.parse(whoami.out)).toMatchObject({ profile: null, baseUrl: url, roles });
    const doctor = await cb('doctor --online -o json');
    const words =
      roles === null
        ? 'permissions are unknown'
        : roles.length === 0
          ? 'has no permissions'
          : `Permissions of the key: ${roles.join(', ')}`;
    expect(doctor.out).toContain(words);
    if (roles === null) expect(whoami.err).toContain(words);
  });
});
