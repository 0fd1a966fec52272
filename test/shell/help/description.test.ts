/** Help as JSON, from which programs learn the commands and options. */
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import type { describeCommand, describeProgram } from '../../../src/shell/help/description.ts';
import { home } from '../../support/cb.ts';
import { leaves } from '../../support/tree.ts';

async function described(line: string): Promise<ReturnType<typeof describeCommand>> {
  const { code, out, err } = await home().cb(line);
  expect({ line, code, err }).toEqual({ line, code: 0, err: '' });
  return JSON.parse(out);
}

async function program(line: string): Promise<ReturnType<typeof describeProgram>> {
  const { code, out, err } = await home().cb(line);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

test('describes a command with cb orders list --help -o json', async () => {
  const { options, ...command } = await described('orders list --help -o json');
  expect(command).toMatchObject({
    schemaVersion: 1,
    name: 'list',
    path: 'orders list',
    usage: 'cb orders list [options]',
    arguments: [],
    permissions: ['api_order_read'],
    readOnly: true,
    destructive: false,
    commands: [],
  });
  expect(command.examples).toContain('cb orders list --period last-7-days');
  expect(command.exitCodes.map(({ code }) => code)).toEqual([
    ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 129, 130, 143],
  ]);
  const named = (name: string) => options.find((option) => option.name === name);
  expect(named('--type')).toMatchObject({
    short: null,
    summary: 'Transaction type',
    type: 'text',
    placeholder: 'value',
    values: expect.arrayContaining([{ value: 'RFND', meaning: 'refund' }]),
    required: false,
    group: 'Filters',
    global: false,
    rare: false,
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
  expect(dimension.options.find(({ name }) => name === '--select')).toMatchObject({
    repeatable: true,
    default: 'all',
  });
  const active = await described('orders active -h -o json');
  expect(active.exitCodes.map(({ code }) => code)).toContain(9);
});

test('describes every command with only its own options with cb help --all -o json', async () => {
  const all = await program('help --all -o json');
  expect(all.commands.map(({ path }) => path)).toEqual(leaves.map(({ path }) => path));
  expect(all.globalOptions.map(({ name }) => name)).toContain('--sandbox');
  for (const { options, globalOptions, examples, path } of all.commands) {
    expect(options.filter(({ global }) => global)).toEqual([]);
    expect(globalOptions).toContain('--debug');
    expect(examples.length, path).toBeGreaterThan(0);
  }
  expect(await program('--help --all -o json')).toEqual(all);
  expect(await program('help -o json')).toEqual(all);
});

test('marks every read as read-only, and no write', async () => {
  const { commands } = await program('help --all -o json');
  for (const { command, method } of catalogue) {
    const [path] = command.split(' --');
    const { readOnly } = commands.find((one) => one.path === path) ?? {};
    expect({ path, readOnly }).toEqual({ path, readOnly: ['GET', 'HEAD'].includes(method) });
  }
});

test('lists the commands of a group, and prints the text of a topic', async () => {
  const group = await described('orders -o json');
  expect(group.commands).toContain('orders change-product');
  const { out } = await home().cb('help dates -o json');
  expect(JSON.parse(out)).toMatchObject({
    topic: 'dates',
    text: expect.stringContaining('last-7'),
  });
});
