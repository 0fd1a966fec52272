/** Where the password of PostgreSQL comes from, and that it never appears. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cb, emptyHome, shortWaits } from '../../../support/binary.ts';
import { noPostgres, postgresServer } from '../../../support/postgres.ts';
import { serveSandbox } from '../../../support/sandbox.ts';

const password = 'right-s3cret\\:';

/** The role of the test server that needs a password. */
async function lockedDatabase() {
  const server = await postgresServer();
  await server.query('CREATE ROLE needs_password').catch(() => undefined);
  await server.query(`ALTER ROLE needs_password LOGIN SUPERUSER PASSWORD '${password}'`);
  return server.url(await server.create(), 'needs_password');
}

test.skipIf(noPostgres !== undefined).each(['URL', 'PGPASSWORD', '~/.pgpass'])(
  'takes the password from %s, and writes no warning',
  async (place) => {
    const { env } = await serveSandbox();
    const home = emptyHome();
    const url = await lockedDatabase();
    const line = `*:*:*:needs_password:${password.replaceAll(/[\\:]/g, '\\$&')}\n`;
    if (place === '~/.pgpass') writeFileSync(join(home, '.pgpass'), line, { mode: 0o600 });
    const named = place === 'URL' ? `${url}&password=${encodeURIComponent(password)}` : url;
    const extra = place === 'PGPASSWORD' ? { PGPASSWORD: password } : undefined;
    const options = { home, env: { ...env, ...extra, ...shortWaits(50) } };
    const { code, err } = await cb(['sync', named, '--tables', 'quickstats'], options).ended();
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(err).not.toMatch(/s3cret|warning/i);
  },
);

test.skipIf(noPostgres !== undefined)('does not show a wrong password with --debug', async () => {
  const { env } = await serveSandbox();
  const url = `${await lockedDatabase()}&password=wrong-s3cret`;
  const { code, out, err } = await cb(['sync', url, '--debug'], { env }).ended();
  expect({ code, err }).toMatchObject({ code: 3 });
  expect(err).toMatch(/Cannot connect to .*: password authentication failed[\s\S]*PGPASSWORD/);
  expect(out + err).not.toContain('s3cret');
});
