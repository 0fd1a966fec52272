/** Connections to PostgreSQL: passwords, permissions, schemas, and what a server can refuse. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { prepareCopy } from '../../../../src/features/sync/database/copy.ts';
import {
  openPostgres,
  openPostgresReader,
  type PostgresOptions,
} from '../../../../src/features/sync/database/postgres.ts';
import {
  columnsIn,
  schemaVersion,
  versionOf,
} from '../../../../src/features/sync/database/schema.ts';
import { emptyHome } from '../../../support/binary.ts';
import { cert, key } from '../../../support/certificate.ts';
import { noPostgres, postgresServer } from '../../../support/postgres.ts';
import { listen } from '../../../support/server.ts';
import { facts, postgres } from './databases.ts';

async function opened(options: PostgresOptions) {
  const sql = await openPostgres(options);
  onTestFinished(() => sql.close().catch(() => undefined));
  return sql;
}

describe.skipIf(noPostgres !== undefined)(noPostgres ?? 'with a server', () => {
  async function emptyDatabase() {
    const server = await postgresServer();
    const database = await server.create();
    return { server, database, url: server.url(database) };
  }

  /** A role that may only connect. */
  async function roleIn(database: string) {
    const server = await postgresServer();
    const role = `role_of_${database}`;
    await server.query(`CREATE ROLE ${role} LOGIN`);
    return { role, url: server.url(database, role) };
  }

  test('does not name user, password and parameters in its label', async () => {
    const { server, database } = await emptyDatabase();
    const sql = await opened({ url: `${server.url(database)}&password=s3cret&sslmode=disable` });
    expect(sql.label).toBe(`postgres:///${database}?host=${server.folder}`);
    const other = await opened({ url: server.url(database), schema: 'my shop' });
    expect(other.label).toBe(`postgres:///${database}?host=${server.folder}&schema=my+shop`);
  });

  test('reports a database that does not exist', async () => {
    const { server } = await emptyDatabase();
    await expect(openPostgres({ url: server.url('nowhere') })).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('database "nowhere" does not exist'),
    });
  });

  test('names the missing permission of a role, and needs none once its schema is there', async () => {
    const { server, database } = await emptyDatabase();
    const { role, url } = await roleIn(database);
    const first = await opened({ url });
    await expect(prepareCopy(first, facts)).rejects.toMatchObject({
      kind: 'unsuitable',
      message: expect.stringMatching(/: permission denied for database \w+\.$/),
      hint: expect.stringMatching(/^Grant the role CREATE and TEMPORARY on the database/),
    });
    await first.close();
    const admin = await opened({ url: server.url(database) });
    await admin.query('CREATE SCHEMA clickbank');
    const second = await opened({ url });
    await expect(prepareCopy(second, facts)).rejects.toMatchObject({
      kind: 'unsuitable',
      message: expect.stringMatching(/: no schema has been selected to create in\.$/),
    });
    await second.close();
    await admin.query(`ALTER SCHEMA clickbank OWNER TO ${role}`);
    await prepareCopy(await opened({ url }), facts);
  });

  test('leaves no connection open if the server refuses the settings of the session', async () => {
    const { server, database, url } = await emptyDatabase();
    await expect(openPostgres({ url, schema: '' })).rejects.toThrow(/zero-length/);
    const open = `SELECT 1 FROM pg_stat_activity WHERE datname = '${database}'`;
    await expect.poll(() => server.query(open)).toEqual([]);
  });

  test('tells what a role may not read from what a copy does not have', async () => {
    const { database, url } = await emptyDatabase();
    const { role, url: ofRole } = await roleIn(database);
    const admin = await opened({ url });
    await prepareCopy(admin, facts);
    await admin.query(`GRANT USAGE ON SCHEMA clickbank TO ${role}`);
    const reader = await openPostgresReader({ url: ofRole });
    onTestFinished(() => reader.close());
    const denied = { message: expect.stringMatching(/: permission denied for table sync_meta\.$/) };
    await expect(versionOf(reader)).rejects.toMatchObject(denied);
    await admin.query(`GRANT SELECT ON sync_meta TO ${role}`);
    expect(await versionOf(reader)).toBe(schemaVersion);
    expect(await columnsIn(reader, 'payments')).toContain('net');
    expect([...(await columnsIn(reader, 'nothing'))]).toEqual([]);
  });

  test('refuses a database that is read-only', async () => {
    const { server, database, url } = await emptyDatabase();
    await server.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
    await expect(prepareCopy(await opened({ url }), facts)).rejects.toMatchObject({
      kind: 'unsuitable',
      message: expect.stringMatching(/can't be written to\.$/),
    });
  });

  test('is not stopped by a time limit for statements', async () => {
    const { server, database, url } = await emptyDatabase();
    await server.query(`ALTER DATABASE ${database} SET statement_timeout = 50`);
    const sql = await opened({ url });
    await sql.query('SELECT pg_sleep(0.1)');
  });

  test('keeps copies in two schemas apart, each with a lock of its own', async () => {
    const { server, database, url } = await emptyDatabase();
    const admin = await opened({ url });
    await admin.query('CREATE TABLE public.orders (mine text)');
    const [one, other] = [await opened({ url }), await opened({ url, schema: 'My "Shop"' })];
    await prepareCopy(one, facts);
    await prepareCopy(other, { ...facts, service: 'the sandbox' });
    const service = "SELECT value FROM sync_meta WHERE name = 'service'";
    expect(await one.query(service)).toEqual([{ value: facts.service }]);
    expect(await other.query(service)).toEqual([{ value: 'the sandbox' }]);
    expect(await admin.query('SELECT * FROM public.orders')).toEqual([]);
    const third = await opened({ url: server.url(database) });
    await expect(prepareCopy(third, facts)).rejects.toMatchObject({ kind: 'busy' });
  });

  test('runs one statement at a time, and binds values only at question marks outside of texts, names and comments', async () => {
    const { url } = await emptyDatabase();
    const sql = await opened({ url });
    const text = `SELECT 'a?''?' AS a, ? AS "b?" -- is it?
      /* or? */ WHERE ? = 'y'`;
    expect(await sql.query(text, ['x', 'y'])).toEqual([{ a: "a?'?", 'b?': 'x' }]);
    expect(await sql.query(`SELECT '{"k": 1}'::jsonb ? 'k' AS found`)).toEqual([{ found: true }]);
    await expect(sql.query('SELECT 1; SELECT 2')).rejects.toThrow(/multiple commands/);
  });

  test('takes back what a failed transaction did, and continues', async () => {
    const { url } = await emptyDatabase();
    const sql = await opened({ url });
    await prepareCopy(sql, facts);
    const failed = sql.transaction(async () => {
      await sql.query("INSERT INTO sync_meta (name, value) VALUES ('a', 'b')");
      await sql.query('SELECT nothing');
    });
    await expect(failed).rejects.toThrow(/"nothing" does not exist/);
    expect(await sql.query("SELECT 1 FROM sync_meta WHERE name = 'a'")).toEqual([]);
  });

  test('reports a connection that was ended as lost, in every later query', async () => {
    const { server, database, url } = await emptyDatabase();
    const sql = await opened({ url });
    const [row] = await sql.query<{ id: number }>('SELECT pg_backend_pid() AS id');
    await server.query(`SELECT pg_terminate_backend(${row?.id})`);
    const lost = { kind: 'lost', message: expect.stringContaining(`${database}?host=`) };
    await expect(sql.query('SELECT 1')).rejects.toMatchObject(lost);
    await expect(sql.transaction(async () => undefined)).rejects.toMatchObject(lost);
    await sql.close();
  });
});

/** A server that sends one answer to whatever it gets first. */
function serverThat(answer: string): Promise<number> {
  return listen(createServer((socket) => socket.once('data', () => socket.end(answer))));
}

const modes = ['prefer', 'require', 'verify-ca', 'verify-full'];

test.each([...modes, 'no-verify'])('does not connect without TLS with sslmode=%s', async (mode) => {
  const port = await serverThat('N');
  const url = `postgres://me:s3cret@127.0.0.1:${port}/shop?sslmode=${mode}`;
  await expect(openPostgres({ url })).rejects.toMatchObject({
    kind: 'unavailable',
    message: `Cannot connect to postgres://127.0.0.1:${port}/shop: The server does not support SSL connections.`,
  });
});

/** Agrees to TLS, and ends the connection after the first bytes of a client that trusts it. */
async function secureServer() {
  const heard: string[] = [];
  const server = createServer((socket) =>
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, cert, key });
      secure.on('error', () => undefined);
      secure.once('data', (bytes: Buffer) => {
        heard.push(bytes.toString('latin1'));
        secure.end();
      });
    }),
  );
  return { heard, port: await listen(server) };
}

test.each(modes)('rejects an untrusted certificate with sslmode=%s', async (mode) => {
  const { heard, port } = await secureServer();
  const url = `postgres://me@127.0.0.1:${port}/shop?sslmode=${mode}`;
  await expect(openPostgres({ url })).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/: self-signed certificate\.$/),
    hint: expect.stringContaining('sslrootcert'),
  });
  expect(heard).toEqual([]);
  const file = join(emptyHome(), 'authority.pem');
  writeFileSync(file, cert);
  const trusted = openPostgres({ url: `${url}&sslrootcert=${file}` });
  await expect(trusted).rejects.toThrow('Connection terminated');
  expect(heard).toEqual([expect.stringContaining('shop')]);
});

test("does not verify the server with libpq's meaning of sslmode=require", async () => {
  const { heard, port } = await secureServer();
  const url = `postgres://me@127.0.0.1:${port}/shop?sslmode=require&uselibpqcompat=true`;
  await expect(openPostgres({ url })).rejects.toThrow();
  expect(heard).toEqual([expect.stringContaining('shop')]);
});

test('reports a server that refuses connections, and one that is no PostgreSQL', async () => {
  await expect(openPostgres({ url: 'postgres://127.0.0.1:1/shop' })).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'Cannot connect to postgres://127.0.0.1:1/shop: connection refused.',
  });
  const port = await serverThat('HTTP/1.1 400 Bad Request\r\n\r\n');
  await expect(openPostgres({ url: `postgres://127.0.0.1:${port}/shop` })).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/^Cannot connect to postgres:\/\/127\.0\.0\.1:\d+\/shop: .+\.$/),
  });
});

test.each([
  'postgres://me:s3cret@localhost:99999/shop',
  'postgres://me:s3c/ret@localhost/shop',
  'postgres://me:s3cret@local host/%E0%A4%A',
])('does not show the password of an invalid URL (%#)', async (url) => {
  const error = await openPostgres({ url }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'DestinationError', kind: 'unavailable' });
  expect(inspect(error, { depth: 9 })).not.toMatch(/s3c/);
});

test('names a certificate file that can’t be read', async () => {
  const url = 'postgres://localhost/shop?sslmode=verify-full&sslrootcert=/nowhere/ca.pem';
  await expect(openPostgres({ url })).rejects.toThrow(/^Cannot read \/nowhere\/ca\.pem\.$/);
});

test.skipIf(noPostgres)('locks single accounts, or the whole copy for one connection', async () => {
  const { open } = await postgres.create();
  const [one, other, third] = [await open(), await open(), await open()];
  const busy = { name: 'DestinationError', kind: 'busy' };
  await one.lock(0);
  await expect(other.lock(0)).rejects.toMatchObject(busy);
  await one.lockAccount('MAKER', 0);
  await other.lock(0);
  await expect(other.lockAccount('MAKER', 0)).rejects.toMatchObject(busy);
  await other.lockAccount('SHOP', 0);
  await third.lock(0);
  await expect(third.lockAccounts(0)).rejects.toMatchObject(busy);
  // The next account of a run frees the one before it.
  await other.lockAccount('CLUB', 0);
  await third.lockAccount('SHOP', 0);
  // The locks of a connection end with it.
  for (const sql of [one, other, third]) await sql.close();
  const last = await open();
  await last.lock(5000);
  await last.lockAccounts(0);
});
