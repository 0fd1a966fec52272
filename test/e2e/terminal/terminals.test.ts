/** Escape sequences that are sent, typed, or stored on this machine never reach the terminal. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import type { Field, Resource } from '../../../src/operations/resource.ts';
import { promptsOn } from '../../../src/shell/terminal/prompts.ts';
import { home } from '../../support/cb.ts';
import { write } from '../../support/doctor.ts';
import {
  evilCell,
  expectHarmless,
  formats,
  hostile,
  hostileService,
} from '../../support/hostile.ts';
import { person } from '../../support/person.ts';
import { expectExit } from '../../support/refusal.ts';
import { input, Recorder } from '../../support/streams.ts';
import { tier } from '../../support/tier.ts';

/** A value of the field as a hostile service would send it: text in place of numbers and booleans. */
function hostileValue({ kind, resource }: Field): unknown {
  if (kind === 'object' && resource) return rowOf(resource);
  if (kind === 'list') return [resource ? rowOf(resource) : hostile, hostile];
  return hostile;
}

/** A row with an additional unknown field, whose name is hostile too. */
function rowOf({ fields }: Resource): Record<string, unknown> {
  const known = Object.entries(fields).map(([name, field]) => [
    field.attribute ? `@${name}` : name,
    hostileValue(field),
  ]);
  return { ...Object.fromEntries(known), [`new${hostile}`]: hostile };
}

function bodyOf({ returns }: Operation): string {
  if (!('resource' in returns)) return hostile;
  const row = rowOf(returns.resource);
  const totals = 'totals' in returns && returns.totals;
  return JSON.stringify({
    [returns.resource.element]: returns.kind === 'one' ? row : [row, row],
    ...(totals && { totals: { [totals.element]: rowOf(totals) } }),
  });
}

/** The first example has all required options. */
function lineOf({ command, examples: [example = `cb ${command}`] }: Operation): string {
  return example.replace(/^cb | (?:-o|--out|--limit) \S+| --raw/g, '');
}

const reads = catalogue.filter(
  ({ method, returns }) => method === 'GET' && returns.kind !== 'nothing',
);

const formOf = ({ returns }: Operation) =>
  [returns.kind, 'resource' in returns ? returns.resource : undefined] as const;

/** The first operation for each response shape, because the shape decides how it is displayed. */
const oneOfEach = reads.filter((operation, at) => {
  const [kind, resource] = formOf(operation);
  const isSame = (other: Operation) => formOf(other)[0] === kind && formOf(other)[1] === resource;
  return reads.findIndex(isSame) === at;
});

test.each(tier(oneOfEach, reads).map((one) => [one.command, one] as const))(
  'cb %s removes escape sequences from API data in every format',
  async (_, operation) => {
    const env = await hostileService(bodyOf(operation));
    const { cb } = home();
    const line = `${lineOf(operation)} --debug --max-wait 0`;
    for (const format of formats) {
      const { code, out, err } = await cb(`${line} -o ${format}`, { env, columns: 100 });
      expectHarmless(out, format === 'tsv' || format === 'csv');
      expectHarmless(err);
      // A count that is not a number and XML that can't be joined are errors; everything else is shown.
      const isRefused = /^(tickets|orders|ship) count/.test(operation.command);
      expect([isRefused ? 5 : 0, ...(format === 'xml' ? [5] : [])]).toContain(code);
      if (code === 0) expect(out).toMatch(/[a-r].*link/s);
    }
    const raw = await cb(`${line} --raw`, { env, columns: 100 });
    expectHarmless(raw.out + raw.err);
    expect(raw.out).toContain('link');
  },
);

const names = 'orders list --period today --fields firstName';

test('writes data unchanged to pipes and files', async () => {
  const text = 'x\u001b]0;owned\u0007\u202e\u009b31m';
  const env = await hostileService(JSON.stringify({ orderData: [{ firstName: text }] }));
  const made = home();
  const out = `firstName\n${text}\n`;
  for (const format of ['csv', 'tsv']) {
    expect(await made.cb(`${names} -o ${format}`, { env })).toMatchObject({ code: 0, out });
    await made.cb(`${names} -o ${format} --out orders.txt`, { env, columns: 100 });
    expect(readFileSync(join(made.folder, 'orders.txt'), 'utf8')).toBe(out);
  }
  for (const screen of [{}, { columns: 100 }]) {
    const json = await made.cb(`${names} -o json --no-color`, { env, ...screen });
    expectHarmless(json.out);
    expect(JSON.parse(json.out)).toEqual([{ firstName: text }]);
  }
});

test('shows control characters in csv as visible escapes on a terminal', async () => {
  const env = await hostileService('{"orderData":[{"firstName":"x\\u001b[31my\\u202e"}]}');
  const { out } = await home().cb(`${names} -o csv`, { env, columns: 100 });
  expect(out).toBe('firstName\nx\\u001b[31my\\u202e\n');
});

const xmlText = hostile.replace(/[\0<&]/g, '');
const errors: readonly (readonly [form: string, type: string, body: string])[] = [
  ['JSON', 'application/json', JSON.stringify({ error: { message: hostile, [hostile]: hostile } })],
  ['XML', 'application/xml', `<error><message>${xmlText}</message></error>`],
  ['text', 'text/plain', hostile],
  ['HTML', 'text/html', `<html><body><h1>${hostile}</h1></body></html>`],
  ['broken JSON', 'application/json', `{"orderData": [${hostile}`],
  ['broken XML', 'application/xml', `<orderDataList><${hostile}`],
];

test.each(errors)('prints an error in %s as one message of text', async (_, type, body) => {
  const { cb } = home();
  for (const status of tier([200, 301, 403, 500], [200, 301, 400, 401, 403, 404, 429, 500, 503])) {
    const env = await hostileService(body, status, type);
    for (const flags of ['', ' -o json', ' --debug', ' -o json --debug']) {
      const line = `orders list --period today --max-wait 0${flags}`;
      const { code, out, err } = await cb(line, { env, columns: 100 });
      expect([0, 1]).not.toContain(code);
      expectHarmless(out + err);
      expect(err).not.toMatch(/^cb: all is well/m);
      const own = err.split('\n').filter((text) => text && !text.startsWith('    '));
      if (flags === '') expect(own).toHaveLength(1);
      if (flags === ' -o json') expect(JSON.parse(err)).toMatchObject({ code });
    }
  }
});

test.each([
  ...['whoami', 'whoami -o csv', 'whoami -o json', 'whoami --debug', 'whoami --raw'],
  ...['api GET /1.3/x -i', "api POST /1.3/x --dry-run -f 'a=\u001b[2J'"],
])('removes escape sequences from the output of cb %j', async (line) => {
  const env = await hostileService(`api_order_read\n${hostile}`, 200, 'text/plain');
  const { code, out, err } = await home().cb(line, { env, columns: 100 });
  if (line.startsWith('api')) expect(code).toBe(0);
  expectHarmless(out.replaceAll('\t', ' ') + err);
});

test('removes escape sequences from the name of a customer in a prompt', async () => {
  const sale = { fullName: hostile, totalOrderAmount: hostile, country: hostile };
  const orderData = [{ receipt: 'ABCD1234', ...sale }];
  const env = await hostileService(JSON.stringify({ orderData }));
  const who = person(false);
  const options = { env, columns: 100, person: who };
  const { code, out, err } = await home().cb('orders reinstate ABCD1234', options);
  expect([code, who.asked.join('')]).toEqual([10, expect.stringContaining('link')]);
  expectHarmless(out + err + who.asked.join(''));
});

test('removes escape sequences from the name and the cells of an import file', async () => {
  const { cb, folder } = home();
  const env = await hostileService('{}');
  const name = 'in\u001b[2J\u202e.csv';
  const rows = `receipt,date,carrier,x${evilCell}\nABCD1234,${evilCell},USPS,1\n`;
  writeFileSync(join(folder, name), rows);
  for (const flags of ['--yes', '--dry-run', '--dry-run -o json', '--yes --debug']) {
    const ran = await cb(`ship notice import '${name}' ${flags}`, { env, columns: 80 });
    expectExit(ran, 2, 'Line 2');
    expectHarmless(ran.out + ran.err);
  }
});

test.each([
  ["orders list '--\u001b]0;owned\u0007'", 2],
  ["'orders\u001b[2J'", 2],
  ["orders get '\u001b[2J\u009b31m'", 2],
  ["orders list --period 'today\u001b[31m\rcb: all is well'", 2],
  ["orders list --period today --out 'x\u001b[2J/y.csv'", 2],
  ["orders list --period today --output '\u001b[2J'", 2],
  ["--profile 'x\u001b]0;owned\u0007\ncb: all is well' orders list --period today", 2],
  ["help '\u001b]0;owned\u0007'", 2],
  ["tickets create --from 'x\u001b[2J\n.csv'", 2],
  ["config get '\u001b]0;owned\u0007'", 2],
  ["profiles use '\u001b]0;owned\u0007'", 3],
])('removes escape sequences from errors about %j', async (line, code) => {
  const env = /--profile|profiles/.test(line) ? {} : await hostileService('{}');
  for (const flags of ['', ' -o json', ' --debug']) {
    if (flags === ' -o json' && line.includes('--output')) continue;
    const ran = await home().cb(`${line}${flags}`, { env, columns: 100 });
    expect(ran.code).toBe(code);
    expectHarmless(ran.out + ran.err);
    expect(ran.err).not.toMatch(/^cb: all is well/m);
  }
});

/** A home whose configuration file contains escape sequences. */
function hostileHome() {
  const made = home();
  const profile = { baseUrl: 'https://api.clickbank.com', key: 'API-TERMINAL' };
  const profiles = { [`shop${hostile}`]: profile, other: { ...profile, baseUrl: `x${hostile}` } };
  write(made, { current: `shop${hostile}`, profiles });
  return made;
}

test.each(formats.filter((format) => format !== 'xml'))(
  'removes escape sequences from names of profiles as %s',
  async (format) => {
    const { cb } = hostileHome();
    for (const line of ['profiles list', 'doctor --no-online', 'config list']) {
      const { out, err } = await cb(`${line} -o ${format}`, { columns: 100 });
      expectHarmless(out, format === 'tsv' || format === 'csv');
      expectHarmless(err);
      expect(out).toContain(line === 'config list' ? 'pace' : 'shop');
    }
    const unknown = await cb('profiles use gone', { columns: 100 });
    expectHarmless(unknown.err);
    expect(unknown.err).toContain('shop');
  },
);

test('completion omits profiles with control characters in their names', async () => {
  const { out } = await hostileHome().cb("__complete -- --profile ''", {});
  expectHarmless(out.replaceAll('\t', ' '));
  expect(out).toContain('other\tstored');
  expect(out).not.toContain('shop');
});

test.each(['confirm', 'input', 'hidden', 'select', 'key'] as const)(
  'removes escape sequences from the prompt %s',
  async (kind) => {
    const stderr = new Recorder({ tty: true });
    const stop = new AbortController();
    const stdin = input('', true);
    const prompts = promptsOn({ stdin, stderr, signal: stop.signal });
    const asked = {
      confirm: () => prompts.confirm(hostile),
      input: () => prompts.input(hostile, () => hostile),
      hidden: () => prompts.hidden(hostile),
      select: () => prompts.select(hostile, [{ value: 'a', name: hostile, short: hostile }]),
      key: () => prompts.key(hostile, [{ key: 'a', name: hostile }]),
    }[kind]();
    // The input ends at once, which ends the prompt.
    asked.catch(() => undefined);
    await expect.poll(() => stderr.text).toContain('link');
    stop.abort();
    await asked.catch(() => undefined);
    // Inquirer moves the cursor itself, with sequences other than these.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
    expect(stderr.text).not.toMatch(/\u001b(?:\[2J|\]|P)|[\u009b\u009d\u0007\u202e\u200b\r]/);
  },
);
