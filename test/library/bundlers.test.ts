/** Programs on the library as bundlers write them: one folder for Node, without the package. */
import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { expect, test } from 'vitest';
import webpack from 'webpack';
import { emptyHome } from '../support/binary.ts';
import { write } from '../support/doctor.ts';
import { tier } from '../support/tier.ts';
import { project, runNode } from './package.ts';
import { openShop } from './shop.ts';

/** Reads a list, creates a ticket, decrypts a notification, and asks for a key that is in the keychain. */
const program = `
import { ApiError, createClient, fromProfile } from 'clickbank-cli';
import { decryptNotification, encryptNotification } from 'clickbank-cli/ins';

async function main() {
  const now = () => new Date('2026-03-18T18:30:00Z');
  const client = createClient({ apiKey: process.env.KEY, baseUrl: process.env.URL, now });
  const week = { startDate: '2026-03-11', endDate: '2026-03-18' };
  const rows = await client.orders.list(week).toArray({ limit: 3 });
  const refund = { type: 'rfnd', reason: 'ticket.type.refund.2', refundType: 'FULL' };
  const { state } = await client.safe.tickets.create({ receipt: 'DIGITAL1', ...refund });
  const event = decryptNotification(encryptNotification({ receipt: 'A' }, 'SECRET'), 'SECRET');
  const refused = await client.tickets.get({ id: '999999' }).catch((error) => error);
  const missing = await fromProfile('shop').catch((error) => error);
  await client.close();
  const errors = [refused, missing].map((error) => error instanceof ApiError && error.kind);
  console.log(JSON.stringify([rows.length, state, event.receipt, ...errors, missing.message]));
}
main();
`;

const formats = ['esm', 'cjs'] as const;
type Format = (typeof formats)[number];

/** With no other options than the documentation names. */
const bundlers: Readonly<Record<string, (folder: string, format: Format) => Promise<string[]>>> = {
  async esbuild(folder, format) {
    const { warnings } = await build({
      ...{ entryPoints: [join(folder, 'program.js')], outdir: join(folder, 'out') },
      ...{ bundle: true, platform: 'node', format, logLevel: 'silent' },
    });
    return warnings.map(({ text }) => text);
  },
  async rollup(folder, format) {
    const warnings: string[] = [];
    const bundle = await rollup({
      input: join(folder, 'program.js'),
      plugins: [nodeResolve({ exportConditions: ['node'] })],
      onwarn: ({ message }) => void warnings.push(message),
    });
    await bundle.write({ dir: join(folder, 'out'), format });
    await bundle.close();
    return warnings;
  },
  webpack(folder, format) {
    const options = webpack({
      ...{ context: folder, entry: './program.js', target: 'node20', mode: 'production' },
      // Minimizing takes long and changes nothing here.
      optimization: { minimize: false },
      ...(format === 'esm' && { experiments: { outputModule: true } }),
      output: { path: join(folder, 'out'), filename: 'program.js', module: format === 'esm' },
    });
    return new Promise((done, fail) => {
      options?.run((error, stats) => {
        const { errors = [], warnings = [] } =
          stats?.toJson({ all: false, errors: true, warnings: true }) ?? {};
        const messages = [...errors, ...warnings].map(({ message }) => message);
        options.close(() => (error ? fail(error) : done(messages)));
      });
    });
  },
};

const all: readonly (readonly [string, Format])[] = Object.keys(bundlers).flatMap((name) =>
  formats.map((format) => [name, format] as const),
);

test.each(tier(all.slice(0, formats.length), all))(
  'runs a program that %s bundled as %s',
  async (name, format) => {
    const folder = project({ 'program.js': program });
    const warnings = await bundlers[name]?.(folder, format);
    expect(
      warnings?.filter((text) => !/size limit|code splitting|limit the size/i.test(text)),
    ).toEqual([]);
    // Elsewhere, where neither the package nor an optional one can be found.
    const { stdout, stderr } = await runElsewhere(join(folder, 'out'), format);
    expect(stderr).toBe('');
    const [rows, state, receipt, refused, missing, why] = JSON.parse(stdout);
    expect([rows, state, receipt, refused, missing]).toEqual([3, 'done', 'A', 'refused', 'key']);
    expect(why).toContain('the optional package @napi-rs/keyring is not installed');
  },
);

/** Copies the program out of reach of every package, and runs it for a profile whose key is in the keychain. */
async function runElsewhere(out: string, format: Format) {
  const { baseUrl, apiKey } = (await openShop()).sandbox;
  const folder = emptyHome();
  cpSync(out, folder, { recursive: true });
  const type = format === 'esm' ? 'module' : 'commonjs';
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
  write({ folder }, { profiles: { shop: { baseUrl, keychain: 'shop 12345678' } } });
  const env = { HOME: folder, URL: baseUrl, KEY: apiKey };
  return runNode(['program.js'], { cwd: folder, env });
}

test('needs only node:crypto of Node for notifications, which Cloudflare Workers have too', async () => {
  const { metafile } = await build({
    ...{ entryPoints: [resolve('dist/library/ins.js')], bundle: true, format: 'esm' },
    ...{ platform: 'neutral', external: ['node:*'], metafile: true, write: false },
  });
  const [output] = Object.values(metafile.outputs);
  const imported = new Set(output?.imports.map(({ path }) => path));
  expect([...imported]).toEqual(['node:crypto']);
});
