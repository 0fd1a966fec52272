/** Help pages fit the terminal, are stored by the build, and as JSON tell programs the commands and options. */
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import { commandTree } from '../../../src/program.ts';
import { type Block, textOf } from '../../../src/shell/help/blocks.ts';
import {
  type describeCommand,
  type describeProgram,
  fullHelpStore,
  helpStore,
} from '../../../src/shell/help/description.ts';
import { rareOptions } from '../../../src/shell/help/page.ts';
import { storedHelp } from '../../../src/shell/help/store.ts';
import { home } from '../../support/cb.ts';
import { tier } from '../../support/tier.ts';
import { allCommands, leaves } from '../../support/tree.ts';

/** Maximum number of lines, so that a page is read without scrolling. */
const mostLines = 40;

const tree = commandTree();
const [short, full] = [helpStore(tree), fullHelpStore(tree)];

const pages: readonly (readonly [name: string, blocks: readonly Block[]])[] = [
  ...pagesOf(short.commands, (path) => `cb ${path} --help`),
  ...pagesOf(full, (path) => `cb ${path} --help --all`),
  ...pagesOf(short.topics, (topic) => `cb help ${topic}`),
];

function pagesOf(store: Readonly<Record<string, string>>, nameOf: (key: string) => string) {
  return Object.entries(store).map(
    ([key, json]) => [nameOf(key), JSON.parse(json) as readonly Block[]] as const,
  );
}

test.each([40, 80, 120])('keeps every line of every help page within %i columns', (width) => {
  const wide = pages.flatMap(([name, blocks]) =>
    textOf(blocks, width)
      .split('\n')
      .filter((line) => line.length > width && !isOneWord(line))
      .map((line) => `${name}: ${line}`),
  );
  expect(wide).toEqual([]);
});

/** A word of a command line can't be broken, and neither can a quoted text. */
function isOneWord(line: string): boolean {
  const word = line.trim().replace(/ \\$/, '');
  return !word.includes(' ') || /^'[^']*'$/.test(word);
}

test.each(Object.entries(short.commands))(
  `prints cb %s --help in at most ${mostLines} lines at 80 columns`,
  (_, json) => {
    expect(textOf(JSON.parse(json), 80).split('\n').length).toBeLessThanOrEqual(mostLines);
  },
);

test('breaks long command lines so that a shell joins them to the same command', () => {
  for (const [name, blocks] of pages) {
    for (const lines of blocks.filter((block) => Array.isArray(block))) {
      for (const line of lines as readonly string[]) {
        const broken = textOf([[line]], 40);
        const joined = broken.replaceAll(/ \\\n/g, ' ').replaceAll(/ +/g, ' ').trim();
        expect(joined, name).toBe(line.replaceAll(/ +/g, ' '));
      }
    }
  }
});

test('marks only existing options as rare', () => {
  expect(Object.keys(rareOptions).length).toBeGreaterThan(5);
  for (const [path, rare] of Object.entries(rareOptions)) {
    const flags = allCommands.find((one) => one.path === path)?.flags ?? [];
    const known = flags.flatMap(({ names }) => names);
    const names = rare.split(/\s+/).map((name) => `--${name}`);
    if (path !== '') expect(known, path).toEqual(expect.arrayContaining(names));
  }
});

test('writes summaries without a final period', () => {
  for (const { path, summary, flags } of allCommands) {
    expect(summary, path).toMatch(/^[A-Z].*[^.]$/);
    for (const { written, summary: text } of flags) {
      expect(text, `${path} ${written}`).toMatch(/^[A-Zcn/].*[^.]$/);
    }
  }
});

async function described<T = ReturnType<typeof describeCommand>>(line: string): Promise<T> {
  const { code, out, err } = await home().cb(line);
  expect({ line, code, err }).toEqual({ line, code: 0, err: '' });
  return JSON.parse(out);
}

const program = described<ReturnType<typeof describeProgram>>;

test('describes a command with cb orders list --help -o json', async () => {
  const { options, ...command } = await described('orders list --help -o json');
  expect(command).toMatchObject({
    ...{ schemaVersion: 1, name: 'list', path: 'orders list', usage: 'cb orders list [options]' },
    ...{ arguments: [], permissions: ['api_order_read'], commands: [] },
    ...{ readOnly: true, destructive: false },
  });
  expect(command.examples).toContain('cb orders list --period last-7-days');
  const codes = command.exitCodes.map(({ code }) => code);
  expect(codes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 129, 130, 143]);
  const named = (name: string) => options.find((option) => option.name === name);
  expect(named('--type')).toMatchObject({
    ...{ short: null, summary: 'Transaction type', type: 'text', placeholder: 'value' },
    ...{ required: false, group: 'Filters', global: false, rare: false },
    values: expect.arrayContaining([{ value: 'RFND', meaning: 'refund' }]),
  });
  expect(named('--since')).toMatchObject({ type: 'date', values: null });
  expect(named('--concurrency')).toMatchObject({ type: 'integer', default: '10', rare: true });
  expect(named('--resume')).toMatchObject({ type: 'boolean', placeholder: null, group: 'Output' });
  expect(named('--output')).toMatchObject({ short: '-o', global: true, group: 'Global options' });
});

test('prints the same description with cb help and with -o json before the command', async () => {
  const expected = await described('orders list --help -o json');
  expect(await described('help orders list -o json')).toEqual(expected);
  expect(await described('-o json orders list --help')).toEqual(expected);
});

test('marks required parameters, repeatable values and side effects', async () => {
  const create = await described('tickets create -h -o json');
  expect(create.arguments).toMatchObject([{ name: 'receipt', required: true, repeatable: false }]);
  expect(create).toMatchObject({ readOnly: false, destructive: true });
  expect(create.options.find(({ name }) => name === '--type')).toMatchObject({ required: true });
  expect(create.exitCodes.map(({ code }) => code)).toContain(10);
  const close = await described('tickets close -h -o json');
  expect(close.arguments).toMatchObject([{ name: 'id', required: true, repeatable: true }]);
  expect(close).toMatchObject({ readOnly: false, destructive: false });
  const dimension = await described('analytics dimension -h -o json');
  const select = dimension.options.find(({ name }) => name === '--select');
  expect(select).toMatchObject({ repeatable: true, default: 'all' });
  const active = await described('orders active -h -o json');
  expect(active.exitCodes.map(({ code }) => code)).toContain(9);
});

test('describes every command with only its own options with cb help --all -o json, and only reads as read-only', async () => {
  const all = await program('help --all -o json');
  expect(all.commands.map(({ path }) => path)).toEqual(leaves.map(({ path }) => path));
  expect(all.globalOptions.map(({ name }) => name)).toContain('--sandbox');
  for (const { options, globalOptions, examples, path } of all.commands) {
    expect(options.filter(({ global }) => global)).toEqual([]);
    expect(globalOptions).toContain('--debug');
    expect(examples.length, path).toBeGreaterThan(0);
  }
  for (const { command, method } of catalogue) {
    const [path] = command.split(' --');
    const { readOnly } = all.commands.find((one) => one.path === path) ?? {};
    expect({ path, readOnly }).toEqual({ path, readOnly: ['GET', 'HEAD'].includes(method) });
  }
  expect(await program('--help --all -o json')).toEqual(all);
  expect(await program('help -o json')).toEqual(all);
});

test('lists the commands of a group, and prints the text of a topic', async () => {
  const group = await described('orders -o json');
  expect(group.commands).toContain('orders change-product');
  const text = expect.stringContaining('last-7');
  expect(await described('help dates -o json')).toMatchObject({ topic: 'dates', text });
});

const loader = { short: async () => short, full: async () => full };

async function stored(line: string, columns: number): Promise<string | undefined> {
  const blocks = await storedHelp(line.split(' ').filter(Boolean), loader);
  return blocks && `${textOf(blocks, columns)}\n`;
}

test.each([40, 80, 120])('stores each help page as printed at %i columns', async (columns) => {
  const { cb } = home();
  const paths = Object.keys(short.commands);
  expect(paths.length).toBeGreaterThan(60);
  expect(Object.keys(full)).toEqual(paths);
  const lines = paths.flatMap((path, at) => {
    const spellings = [
      ...[`${path} --help`, `${path} -h`, `help ${path}`],
      ...[`${path} --help --all`, `${path} --all -h`, `help ${path} --all`],
    ];
    // In `npm test`, each page in one of its spellings and each width.
    return tier(spellings.slice((at + columns) % spellings.length).slice(0, 1), spellings);
  });
  const topics = Object.keys(short.topics).map((topic) => `help ${topic}`);
  for (const line of [...lines, ...topics, 'help', 'orders', 'analytics subscriptions']) {
    const { code, out } = await cb(line.trim(), { columns });
    expect({ line, code, out }).toEqual({ line, code: 0, out: await stored(line, columns) });
  }
});

test.each([
  ...['', 'orders list', 'ordres --help', 'orders lst --help', 'help ordres', 'orders list extra'],
  ...['--help orders', 'orders --help list', 'help dates --help', '--sandbox orders --help'],
  ...['orders list -o json --help', '-- orders', 'orders list --help --help', 'constructor --help'],
  ...['orders list --all', '--all', 'help help --all --all', 'orders list --help -o json', 'sync'],
])("stores no page for 'cb %s', which the commands answer", async (line) => {
  expect(await stored(line, 80)).toBeUndefined();
});
