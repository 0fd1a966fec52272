/** A copy that was damaged, and a database that stops answering: a sentence and an exit code, not an error in cb. */
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openPostgres } from '../../../../src/features/sync/database/postgres.ts';
import { openDatabase } from '../../../../src/storage/sqlite.ts';
import { sandboxHome } from '../../../support/cb.ts';
import { copyOf, syncedHome } from '../../../support/copy.ts';
import { noPostgres, postgresServer, postgresUrl } from '../../../support/postgres.ts';
import { asOneLine, expectExit } from '../../../support/refusal.ts';
import { listen } from '../../../support/server.ts';

const version = (value: string) =>
  `UPDATE sync_meta SET value = '${value}' WHERE name = 'schema_version'`;

/** Each with the command that meets it. The first two have other errors in each database. */
const damages: readonly (readonly [damage: string, command: string])[] = [
  ['DROP TABLE order_items', 'sync'],
  ['ALTER TABLE orders DROP COLUMN receipt', 'sync'],
  ['DROP TABLE orders', 'status'],
  [version('abc'), 'sync'],
  [version('abc'), 'check'],
  [version('1'), 'sync'],
];

async function damageFile(file: string, damage: string): Promise<void> {
  const database = await openDatabase(file);
  if (damage.includes('COLUMN')) {
    // A column of an index or a view can't be dropped.
    const found = database.all<{ type: string; name: string }>(
      "SELECT type, name FROM sqlite_master WHERE type IN ('view', 'index') AND sql IS NOT NULL",
    );
    for (const { type, name } of found) database.run(`DROP ${type} ${name}`);
  }
  database.run(damage);
  database.close();
}

async function damageSchema(url: string, damage: string): Promise<void> {
  const sql = await openPostgres({ url });
  await sql.query(damage.includes('DROP') ? `${damage} CASCADE` : damage);
  await sql.close();
}

describe.each(['SQLite', 'PostgreSQL'])('in %s', (kind) => {
  test
    .skipIf(kind === 'PostgreSQL' && noPostgres)
    .each(kind === 'SQLite' ? damages : damages.slice(0, 2))(
    '%s makes a copy that cb sync or a command for copies refuses with exit code 3: %s',
    async (damage, command) => {
      const tables = '--tables orders --since 2026-03-01';
      const at = await syncedHome(`--sandbox sync ${tables}`, 60);
      const { cb } = at;
      const place = kind === 'SQLite' ? copyOf(at) : ((await postgresUrl()) ?? '');
      if (kind === 'PostgreSQL') {
        expect((await cb(`--sandbox sync ${place} ${tables}`)).code).toBe(0);
      }
      await (kind === 'SQLite' ? damageFile(place, damage) : damageSchema(place, damage));
      const line =
        command === 'sync' ? `sync ${place} ${tables}` : `sync ${command} --database ${place}`;
      const { code, out, err } = await cb(`--sandbox ${line}`);
      expect({ code, out, err: asOneLine(err) }).toMatchObject({
        code: 3,
        out: '',
        err: expect.stringMatching(
          / is not a copy that cb can use: .* or name another database\. $/,
        ),
      });
    },
  );
});

/** Passes bytes on to the server of the tests, until the client sends a text; from then on, nothing comes back. */
async function stallingAt(text: string): Promise<number> {
  const { folder } = await postgresServer();
  const proxy = createServer((client) => {
    const server = connect(join(folder, '.s.PGSQL.5432')).on('error', () => undefined);
    let isStalled = false;
    client.on('data', (bytes) => {
      isStalled ||= bytes.includes(text);
      if (!isStalled) server.write(bytes);
    });
    server.on('data', (bytes) => client.write(bytes));
    client.on('close', () => server.destroy());
  });
  return listen(proxy);
}

test.skipIf(noPostgres)(
  'ends with exit code 8 if PostgreSQL stops answering for longer than the URL allows',
  async () => {
    const { cb } = await sandboxHome(60);
    const port = await stallingAt('COMMIT');
    const name = await (await postgresServer()).create();
    const url = `postgres://postgres@127.0.0.1:${port}/${name}?query_timeout=1500`;
    expectExit(
      await cb(`--sandbox sync ${url} --tables orders --since 2026-03-01`),
      8,
      /postgres:\S+ stopped answering\. .* Run the command again/,
    );
  },
);
