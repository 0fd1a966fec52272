/** The help tells the truth: every example in it runs. */
import { expect, test } from 'vitest';
import { catalogue } from '../../src/operations/index.ts';
import { home, sandboxHome } from '../support/cb.ts';

const examples = catalogue.flatMap(({ examples }) => examples);

test.each(examples)('%s', async (example) => {
  const { cb } = await sandboxHome(300);
  // What follows && is the shell's.
  const [line = ''] = example.split(' && ');
  const { code, err } = await cb(line.replace(/^cb /, '--sandbox '));
  expect({ code, err: err.replace(/^note: .*\n/gm, '') }).toEqual({ code: 0, err: '' });
});

test.each(catalogue.map(({ command }) => command))('cb %s --help', async (command) => {
  const { cb } = home();
  const { code, out, err } = await cb(`${command} --help`);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('Examples');
  expect(out.split('\n').filter((line) => line.length > 80 && !line.startsWith('  cb '))).toEqual(
    [],
  );
});

test('The help of a command names each of its flags with the allowed values', async () => {
  const { cb } = home();
  for (const { command, params, path } of catalogue) {
    const { out } = await cb(`${command} --help`);
    for (const [name, { values = {}, constant }] of Object.entries(params)) {
      if (constant !== undefined) continue;
      const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const isArgument = path.includes(`{${name}}`) && !params[name]?.asFlag;
      expect(out).toContain(isArgument ? `[${name}` : `--${flag}`);
      for (const value of Object.keys(values)) expect(out).toContain(value);
    }
  }
});

test('cb alone, and a group alone, show what there is', async () => {
  const { cb } = home();
  expect((await cb('')).out).toContain('First steps');
  expect((await cb('orders')).out).toContain('change-product');
  expect((await cb('help orders list')).out).toBe((await cb('orders list --help')).out);
});

test('cb help exit-codes tells them all', async () => {
  const { cb } = home();
  const { out } = await cb('help exit-codes');
  for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130, 143]) {
    expect(out).toMatch(new RegExp(`^ *${code}  `, 'm'));
  }
});
