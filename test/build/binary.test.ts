/** `npm run test:binary`: the executable does what the npm form does. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { binary, emptyHome, program, shell } from '../support/binary.ts';
import { canary } from '../support/canary.ts';
import { wordsOf } from '../support/cb.ts';
import { cert } from '../support/certificate.ts';
import { helpExamples } from '../support/documents.ts';
import { isPlainRead, openWorld, shareWorlds } from '../support/example-world.ts';
import { cbOfCommands, ownInEach } from '../support/own-program.ts';
import { noPostgres, postgresUrl } from '../support/postgres.ts';
import { serve, serveSecurely } from '../support/server.ts';
import { allCommands } from '../support/tree.ts';

const executable = fileURLToPath(new URL('../../dist/binary/cb', import.meta.url));
const library = '.local/state/clickbank-cli/library';

const mistakes = [
  'cb ordres list',
  'cb orders list --perod today',
  'cb',
  'cb orders get',
  'cb --x',
];
const others = ['cb --version', 'cb completion bash', 'cb completion fish', 'cb __complete o'];
const writers = [
  'cb quickstats report --out report.html',
  'cb orders list --period last-month --out orders.xlsx',
];
const pages = allCommands.map(({ path }) => `cb ${path} --help`);
const lines = [...[...helpExamples].filter(isPlainRead), ...mistakes, ...others];

/** Lines whose output names the form or the machine's clock, or that need what tests lack. */
const excluded = /^cb (login|doctor|.*--keychain)|--online|^cb --sandbox/;

/** Runs one line with its own home, which is called HOME in the result. */
async function runIn(form: readonly string[], line: string) {
  const home = emptyHome();
  const env = await openWorld(home, line);
  const [file = '', ...first] = form;
  const args = [...first, ...wordsOf(line).slice(1)];
  const { code, out, err } = await program(file, args, { home, env }).ended();
  // How many requests a sync needs depends a little on its pace.
  const named = (text: string) =>
    text.replaceAll(home, 'HOME').replace(/with [\d,]+ requests/, 'with N requests');
  const files = readdirSync(home).filter((name) => /\.(csv|tsv|json|html|xlsx)$/.test(name));
  const made = files.map((name) => [name, readFileSync(join(home, name), 'latin1')]);
  return { code, out: named(out), err: named(err), made };
}

describe.runIf(process.env.CB_TEST_BINARY && existsSync(executable))('the executable', () => {
  shareWorlds();

  const compared = [...lines.filter((line) => !excluded.test(line)), ...pages];

  test('is compared with at least 200 lines, some of which write a report and a workbook', () => {
    expect(compared.length).toBeGreaterThan(200);
    for (const line of writers) expect(compared).toContain(line);
  });

  // .ci/run compares a sample.
  const every = process.env.CB_TEST_BINARY === 'sample' ? 6 : 1;

  test.each(compared.filter((line, at) => at % every === 0 || writers.includes(line)))(
    'answers like the npm form: %s',
    async (line) => {
      const forms = [[process.execPath, binary], [executable]];
      const [expected, found] = await Promise.all(forms.map((form) => runIn(form, line)));
      expect(found).toEqual(expected);
    },
  );

  const cb = (args: readonly string[], home: string, env = {}) =>
    program(executable, args, { home, env }).ended();

  // Takes as long as a quarter of the sample. The fastest compression is the weakest, so archives are smaller.
  test.runIf(every === 1)('has at most 40 MB when it is compressed', () => {
    const maxBuffer = 60_000_000;
    const { stdout } = spawnSync('xz', ['-0', '--stdout', executable], { maxBuffer });
    expect(stdout.length).toBeGreaterThan(20_000_000);
    expect(stdout.length).toBeLessThanOrEqual(40_000_000);
  });

  test('ignores NODE_OPTIONS, which may name files of other programs', async () => {
    const env = { NODE_OPTIONS: '--require /missing' };
    const { code, out } = await cb(['--version'], emptyHome(), env);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  test('trusts the certificates of NODE_EXTRA_CA_CERTS, and no others that are unknown', async () => {
    const home = emptyHome();
    const { url } = await serveSecurely((_, reply) => reply.end('{"orderData":[]}'));
    const env = { CB_BASE_URL: url, CB_API_KEY: canary };
    const file = join(home, 'company.pem');
    writeFileSync(file, cert);
    const list = ['orders', 'list', '--period', 'today'];
    const trusting = await cb(list, home, { ...env, NODE_EXTRA_CA_CERTS: file });
    expect(trusting).toMatchObject({ code: 0 });
    const { code, err } = await cb(list, home, env);
    expect({ code, err }).toEqual({ code: 6, err: expect.stringContaining("can't be trusted") });
  });

  test.skipIf(noPostgres)('keeps a copy in PostgreSQL, which the npm form reads', async () => {
    const home = emptyHome();
    const url = (await postgresUrl()) ?? '';
    const words = ['--sandbox', 'sync', url, '--tables', 'orders', '--since', '-10d'];
    expect(await cb(words, home)).toMatchObject({ code: 0 });
    const sql = ['metrics', 'payments', '--database', url, '--period', 'last-7-days', '-o', 'tsv'];
    const { out } = await cb(sql, home);
    expect(out.split('\n').length).toBeGreaterThan(3);
    expect((await program(process.execPath, [binary, ...sql], { home }).ended()).out).toBe(out);
  });

  test('starts itself where commands name cb, without cb or with another one in PATH', async () => {
    const home = emptyHome();
    const env = { PATH: '/nowhere' };
    const args = ['sandbox', 'exec', '--', 'cb', 'orders', 'count', '--period', 'last-month'];
    const { code, out } = await cb(args, home, env);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^\d+\n$/) });
    expect(await cbOfCommands(executable)).toEqual(ownInEach);
    const configured = await cb(['mcp', 'install', 'claude', '--sandbox'], home, env);
    expect(JSON.parse(configured.out).mcpServers.clickbank.command).toBe(executable);
  });

  test('keeps the database library in a private folder, and replaces it if any byte differs', async () => {
    const home = emptyHome();
    const count = () => cb(['--sandbox', 'orders', 'count', '--period', 'last-month'], home);
    expect((await count()).code).toBe(0);
    expect(statSync(join(home, library)).mode & 0o777).toBe(0o700);
    const [name = '', ...more] = readdirSync(join(home, library));
    expect(more).toEqual([]);
    const file = join(home, library, name);
    const right = readFileSync(file);
    const wrong = Buffer.from(right);
    wrong[0] = 0;
    writeFileSync(file, wrong);
    expect((await count()).code).toBe(0);
    expect(readFileSync(file).equals(right)).toBe(true);
  });

  test('refuses a folder for the library that others can write', async () => {
    const home = emptyHome();
    const args = ['--sandbox', 'orders', 'count', '--period', 'last-month'];
    await cb(args, home);
    chmodSync(join(home, library), 0o777);
    const { code, err } = await cb(args, home);
    expect(code).toBe(3);
    expect(err).toContain('others can write to the folder; delete it');
  });

  const hasTools = ['dbus-run-session', 'gnome-keyring-daemon', 'secret-tool'].every(
    (tool) => spawnSync(tool, ['--version']).error === undefined,
  );

  test.runIf(hasTools)('shares keys in the keychain with the npm form', async () => {
    const used: (string | undefined)[] = [];
    const { url } = await serve((reply, _, { headers }) => {
      used.push(headers.authorization);
      reply.end('api_order_read');
    });
    const home = emptyHome();
    const login = `login --keychain --with-key --base-url ${url}`;
    const session = [
      'printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1',
      `printf %s "$FIRST" | cb ${login}`,
      `${executable} whoami -o tsv --no-header`,
      `printf %s "$SECOND" | ${executable} ${login}`,
      'cb whoami -o tsv --no-header',
      'cat .config/clickbank-cli/config.json',
      'cb logout',
      `${executable} whoami; echo "exit code $?"`,
    ];
    writeFileSync(join(home, 'session.sh'), session.join('\n'));
    const env = { FIRST: 'API-FIRST-KEY', SECOND: 'API-SECOND-KEY' };
    const runner = 'export -f cb exec_cb; dbus-run-session -- bash session.sh 2>&1';
    const { out } = await shell(runner, { home, env }).ended();
    expect(out).toContain('"keychain": "default ');
    expect(out).not.toMatch(/keychain can't be used|still in the keychain/);
    expect(out).not.toContain('API-');
    expect(out).toMatch(/exit code 3$/m);
    expect(new Set(used)).toEqual(new Set(Object.values(env)));
    expect(used.at(-1)).toBe('API-SECOND-KEY');
  });

  test('stores the key in the file, and says so, if the tool for the keychain is missing', async () => {
    const home = emptyHome();
    const args = ['login', '--keychain', '--with-key', '--no-check'];
    const options = { home, env: { PATH: '/nowhere' }, stdin: canary };
    const { code, err } = await program(executable, args, options).ended();
    expect(code).toBe(0);
    const problem = "The keychain can't be used: the program secret-tool is not installed.";
    expect(err).toContain(`${problem} The key is stored in the file instead`);
  });
});
