/** `cb` without arguments, help pages and topics. test/shell/help/pages.test.ts measures them, and examples.test.ts runs their examples. */
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import { periodsOf } from '../../../src/operations/operation.ts';
import { commandTree } from '../../../src/program.ts';
import { textOf } from '../../../src/shell/help/blocks.ts';
import { helpPage } from '../../../src/shell/help/page.ts';
import { optionWord } from '../../../src/shell/options/flags.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { write } from '../../support/doctor.ts';
import { leaves } from '../../support/tree.ts';

const root = commandTree();

test('shows examples, every option with its values, and the permissions of the key of every operation', () => {
  for (const { command, params, path, roles } of catalogue) {
    const [words = ''] = command.split(' --');
    const branch = root.at(words.split(' '));
    const text = branch ? textOf(helpPage(branch, true), 1000) : '';
    expect(text, command).toContain('Examples');
    expect(text).toMatch(/^Learn more: cb help /m);
    for (const [name, { values = {}, constant, asFlag, daysBack }] of Object.entries(params)) {
      if (constant !== undefined || daysBack) continue;
      const isArgument = path.includes(`{${name}}`) && !asFlag;
      expect(text).toContain(isArgument ? `<${name}` : `--${optionWord(name)}`);
      for (const value of Object.keys(values)) expect(text).toContain(value);
    }
    // A command with several generations shows the help of the latest one.
    if (/--generation [12]/.test(command)) continue;
    const required = `Required key permissions: ${roles.join(', ')}.`;
    expect(text).toContain(roles.length > 0 ? required : 'No API key is required.');
  }
});

test.each([
  ['orders list', ['Filters', 'Output']],
  ['orders watch', ['Filters', 'Output', 'Options']],
  ['orders pause', ['Arguments', 'Options', 'Output']],
  ['tickets create', ['Arguments', 'Options', 'Output']],
])('groups the options of cb %s --help under %j', async (command, headings) => {
  const { out } = await home().cb(`${command} --help`);
  expect([...out.matchAll(/^(\w+):$/gm)].map(([, heading]) => heading)).toEqual(headings);
  expect(out).toContain('All options: --help --all. Global options: cb help options.');
});

test('shows rare options and the meanings of many values on the full page only', async () => {
  const { cb } = home();
  const short = (await cb('tickets create --help')).out;
  expect(short).toContain('cb help reasons');
  expect(short).not.toContain('--verify-wait');
  expect(short).not.toContain('ticket.type.tech_support.4');
  const { out } = await cb('tickets create --help --all');
  expect(out).toMatch(/^ {2}--verify-wait <time>/m);
  expect(out).toContain('ticket.type.tech_support.4 (product does not work)');
  expect(out).toContain('Global options:');
});

test('shows only global options that the command supports', async () => {
  const { cb } = home();
  const globals = async (line: string) =>
    (await cb(`${line} --help --all`)).out.split('Global options:')[1] ?? '';
  expect(await globals('orders list')).toMatch(/--all-profiles.*--timeout/s);
  expect(await globals('orders pause')).toContain('--timeout');
  expect(await globals('orders pause')).not.toContain('--all-profiles');
  expect(await globals('config path')).toContain('--profile');
  expect(await globals('config path')).not.toContain('--timeout');
  expect(await globals('quickstats report')).not.toContain('--output');
});

test.each([
  ['orders list', 'table, json, ndjson, csv, xlsx, parquet, tsv or xml'],
  ['log', 'table, json, ndjson, csv, xlsx, parquet or tsv'],
  ['orders watch', 'table, ndjson, csv or tsv'],
])('offers the formats that %s can write: %s', async (line, formats) => {
  const { out } = await home().cb(`${line} --help --all`, { columns: 200 });
  expect(out).toContain(`Format: ${formats}\n`);
});

test('lists every command with its summary in cb help --all', async () => {
  const { cb } = home();
  const { out } = await cb('help --all', { columns: 120 });
  for (const { path, summary } of leaves) {
    expect(out.replaceAll(/ +/g, ' ')).toContain(` cb ${path} ${summary}`);
  }
  expect((await cb('--help --all', { columns: 120 })).out).toBe(out);
});

/** The parameters of one meaning, by what they name, and the names of their options. */
test.each([
  ['account', ['account', 'vendor']],
  ['sku', ['sku', 'old-sku', 'new-sku']],
  ['receipt', ['receipt']],
])('every option that names a %s is called %s', (names, words) => {
  const found = catalogue.flatMap(({ params }) =>
    Object.entries(params).flatMap(([name, param]) =>
      param.names === names ? [optionWord(name)] : [],
    ),
  );
  expect([...new Set(found)].sort()).toEqual(words.sort());
});

/** The options that some page of help shows. */
const shownOptions = root.below.flatMap(({ options }) => options.filter(({ hidden }) => !hidden));

/** The names that have several different texts. */
function withSeveral(pairs: readonly (readonly [name: string, text: string])[]): string[] {
  const first = new Map([...pairs].reverse());
  return [...new Set(pairs.flatMap(([name, text]) => (first.get(name) === text ? [] : [name])))];
}

test('gives no meaning two names, nor a period', () => {
  const named = shownOptions.map(({ long = '', description }) => {
    const meaning = description.replaceAll(/ \(.*?\)|[,;] (such|%).*/g, '').toLowerCase();
    return [meaning, long] as const;
  });
  expect(withSeveral(named)).toEqual([]);
  // The period of a list; tickets have two others.
  const days = catalogue.flatMap((operation) =>
    periodsOf(operation).flatMap(({ name, first, last }) => [name, first, last].map(optionWord)),
  );
  const others = ['update', 'close'].flatMap((one) =>
    ['period', 'date-from', 'date-to'].map((word) => `${one}-${word}`),
  );
  expect(new Set(days)).toEqual(new Set(['period', 'since', 'until', ...others]));
});

/** Options that commands describe in different words, on purpose. */
const severalMeanings = `by comment concurrency database delimiter dry-run email event-version every exec from journal key keychain
  max-requests order-by orders out page port period postal-code receipt role since status to type until yes`;

test('describes each option in one way, apart from those that were reviewed', () => {
  const described = shownOptions
    .filter(({ long }) => long !== '--help')
    .map(({ long = '', description, param }) => {
      const text = param ? (param.names ?? param.summary) : description.replace(/ \(default.*/, '');
      return [long.slice(2), text] as const;
    });
  expect(withSeveral(described).sort()).toEqual(severalMeanings.split(/\s+/).sort());
});

test('shows one name of each option, and accepts the one of its parameter', () => {
  const names = new Set(shownOptions.map(({ long }) => long));
  const formers =
    '--item --site --tid --create-period --days --start-date --end-date --create-date-from --create-date-to';
  for (const former of formers.split(' ')) {
    expect(names).not.toContain(former);
    const all = root.below.flatMap(({ options }) => options);
    const hidden = all.filter(({ long }) => long === former).map((one) => one.hidden);
    expect(new Set(hidden)).toEqual(new Set([true]));
  }
});

function profiles(current: string | undefined, ...names: string[]) {
  const profile = { baseUrl: 'http://127.0.0.1:1', key: 'API-CANARY0123456789' };
  return { current, profiles: Object.fromEntries(names.map((name) => [name, profile])) };
}

const ofTwo = profiles('shop', 'shop', 'other');

test('shows the sandbox and the login without profiles, and the sandbox line runs', async () => {
  const made = await sandboxHome(300);
  const { code, out, err } = await made.cb('');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/No API key is stored yet[\s\S]*^ {2}cb login {2}/m);
  const [, line = ''] = /^ {2}cb (--sandbox .*?) {2}/m.exec(out) ?? [];
  expect(await made.cb(line)).toMatchObject({ code: 0 });
});

test('shows the name of the profile and the daily commands, which run', async () => {
  const made = await sandboxHome(300);
  write(made, profiles('shop', 'shop'));
  const { out } = await made.cb('');
  expect(out).toContain("Using profile 'shop'.");
  const lines = [...out.matchAll(/^ {2}cb (.*?)(?: {2,}.*)?$/gm)].map(([, line = '']) => line);
  const [today = '', summary = '', ...others] = lines;
  for (const line of [today, summary, 'find DIGITAL1']) {
    expect(await made.cb(`--sandbox ${line}`)).toMatchObject({ code: 0 });
  }
  expect(others).toEqual(['tickets work', 'find <email or receipt>']);
});

test.each<[line: string, env: Readonly<Record<string, string>>, stored: unknown, shows: RegExp]>([
  ['--sandbox', {}, undefined, /^ {2}cb --sandbox today/m],
  ['--profile other', {}, ofTwo, /^ {2}cb --profile other tickets work/m],
  ['', { CB_PROFILE: 'other' }, ofTwo, /^Using profile 'other'\./m],
  ['', { CB_API_KEY: 'API-CANARY0123456789' }, ofTwo, /^Using the API key in CB_API_KEY\./m],
  [
    '',
    {},
    profiles(undefined, 'a', 'b'),
    /^ {2}cb profiles use a {2}.*\n {2}cb profiles use b {2}/m,
  ],
  // The meanings stand below the commands if most of these are too long.
  ['', {}, ofTwo, /^ {2}cb today {3,}what you earned/m],
])('names the key or the profiles to use: cb %s with %j', async (line, env, stored, shows) => {
  const made = home();
  if (stored) write(made, stored);
  const { code, out } = await made.cb(line, { env, columns: 80 });
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(shows) });
});

test.each([
  ['invalid JSON', '{"current": '],
  ['invalid profiles', '{"profiles": []}'],
  ['a current profile that does not exist', profiles('gone', 'shop')],
])('suggests cb doctor with exit code 3 for a configuration with %s', async (_, content) => {
  const made = home();
  write(made, content);
  const says = /There is a problem with the configuration[\s\S]*^ {2}cb doctor/m;
  const ran = await made.cb('');
  expect(ran).toMatchObject({ code: 3, out: expect.stringMatching(says) });
});
