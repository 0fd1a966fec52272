/** Escape sequences that are typed or stored on this machine never reach the terminal. */
import { expect, test } from 'vitest';
import { promptsOn } from '../../../src/shell/terminal/prompts.ts';
import { home } from '../../support/cb.ts';
import { write } from '../../support/doctor.ts';
import { expectHarmless, formats, hostile, hostileService } from '../../support/hostile.ts';
import { input, Recorder } from '../../support/streams.ts';

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
  const env =
    line.includes('--profile') || line.includes('profiles') ? {} : await hostileService('{}');
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
