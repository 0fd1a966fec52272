/** Checkpoints of `--out FILE --resume`: which command they belong to, and what happens to damaged ones. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { openShop, shopKey } from '../../support/shop.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const list = 'orders list --start-date 2026-01-01 --end-date 2026-03-18 --fields receipt';

/** An export of 3,000 rows that was interrupted after some windows. */
async function brokenExport() {
  const shop = await openShop();
  const { cb, folder } = home();
  for (let i = 0; i < 3000; i++) {
    const day = new Date(Date.parse('2026-03-18') - (i % 77) * 86_400_000);
    shop.sell(`R${i}`, day.toISOString().slice(0, 10));
  }
  const run = (flags: string, key = shopKey) =>
    cb(`${list} --max-wait 0 ${flags}`, {
      env: { ...shop.env, CB_API_KEY: key },
      clock: virtualClock(),
    });
  expect((await run('--out whole.csv')).code).toBe(0);
  let answers = 0;
  shop.disturb = (reply) => {
    const isLost = ++answers > 18;
    if (isLost) reply.destroy();
    return isLost;
  };
  const [file, part] = [join(folder, 'orders.csv'), join(folder, 'orders.csv.part')];
  expect((await run('--out orders.csv --concurrency 1')).code).toBe(6);
  shop.disturb = () => false;
  const text = (path: string) => readFileSync(path, 'utf8');
  return {
    run: (key?: string) => run('--out orders.csv --resume', key),
    restart: () => run('--out orders.csv'),
    shop,
    file,
    part,
    checkpoint: `${part}.json`,
    text,
    whole: text(join(folder, 'whole.csv')),
    names: () => readdirSync(folder).filter((name) => name.startsWith('orders')),
  };
}

test('stores no key, and rejects another one with exit code 2 before sending anything', async () => {
  const { run, shop, part, checkpoint, text, file, whole } = await brokenExport();
  expect(text(checkpoint)).not.toContain(shopKey);
  const [before, asked] = [text(part), shop.asked.length];
  const other = await run('API-OTHER');
  expect(other).toMatchObject({
    code: 2,
    err: expect.stringMatching(/another API key or service/),
  });
  expect(shop.asked).toHaveLength(asked);
  expect(text(part)).toBe(before);
  expect((await run()).code).toBe(0);
  expect(text(file)).toBe(whole);
});

/** What is damaged, how, and what cb says. */
const damages: readonly (readonly [
  'checkpoint' | 'part',
  damage: (text: string) => string,
  says: RegExp,
])[] = [
  ['checkpoint', (text) => text.replace(/"windows":\d+/, '"windows":99'), /wrong checksum/],
  ['checkpoint', (text) => text.slice(0, -20), /wrong checksum/],
  ['checkpoint', () => '', /wrong checksum/],
  ['checkpoint', () => '{"version":2,"settings":"x"}', /an older version of cb wrote it/],
  ['part', (text) => text.slice(0, 100), /has 100 bytes, but its checkpoint says/],
  ['part', (text) => text.slice(0, 50) + text.slice(60) + text, /was changed/],
  ['part', (text) => text.replace('R1', 'X1'), /was changed/],
];

test('rejects a checkpoint or a part file that was damaged with exit code 2, until the export starts over', async () => {
  const { run, restart, text, file, whole, shop, ...files } = await brokenExport();
  const [part, asked] = [text(files.part), shop.asked.length];
  for (const [name, damage, says] of damages) {
    const before = text(files[name]);
    writeFileSync(files[name], damage(before));
    const { code, err } = await run();
    expect({ name, code, err }).toEqual({ name, code: 2, err: expect.stringMatching(says) });
    expect(err).toMatch(/Omit --resume to start over/);
    expect(shop.asked).toHaveLength(asked);
    if (name === 'checkpoint') expect(text(files.part)).toBe(part);
    writeFileSync(files[name], before);
  }
  writeFileSync(files.checkpoint, '');
  expect((await restart()).code).toBe(0);
  expect(text(file)).toBe(whole);
});

test('discards bytes that were written after the last checkpoint', async () => {
  const { run, part, text, file, whole } = await brokenExport();
  writeFileSync(part, `${text(part)}half a li`);
  expect((await run()).code).toBe(0);
  expect(text(file)).toBe(whole);
});

test('starts over if the part file is gone', async () => {
  const { run, part, text, file, whole, names } = await brokenExport();
  rmSync(part);
  expect((await run()).code).toBe(0);
  expect(text(file)).toBe(whole);
  expect(names()).toEqual(['orders.csv']);
});

test('starts over if a run was killed after it renamed its file', async () => {
  const { run, checkpoint, text, file, whole, names } = await brokenExport();
  const held = text(checkpoint);
  expect((await run()).code).toBe(0);
  writeFileSync(checkpoint, held);
  expect(await run()).toMatchObject({ code: 0, err: '' });
  expect(text(file)).toBe(whole);
  expect(names()).toEqual(['orders.csv']);
});
