/** Lost answers: the queue says what it knows, and sends nothing again without a look. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tickets } from '../../../src/operations/tickets.ts';
import { listed } from '../../support/client.ts';
import { agent, oneLine, oneTicket, script } from '../../support/queue.ts';
import { expectExit } from '../../support/refusal.ts';
import { noSmallDisk, smallDisk } from '../../support/small-disk.ts';

async function withFaults(faults?: string) {
  const at = await oneTicket();
  if (faults) at.sandbox.setFaults(faults);
  const refunds = async () => {
    at.sandbox.setFaults(undefined);
    return listed(at.client.pages(tickets.list, { receipt: 'DIGITAL1', type: 'rfnd' }));
  };
  return { ...at, refunds };
}

const refund = ['f', 'f', '2', 'y'];

test.each(['503=#1,only=POST', 'cut-before=#1,only=POST'])(
  'says that the outcome is unknown after %s, and sends nothing about the order before a look',
  async (faults) => {
    const at = await withFaults(faults);
    const ran = await at.work(script(...refund, 'f', 'c', 'x', 'r', 'q'), at);
    expectExit(ran, 8, 'Outcome unknown');
    expect(oneLine(ran.err).match(/is unknown. Press l to look again/g)).toHaveLength(4);
    expect(at.log().map(({ state }) => state)).toEqual(['unknown']);
    expect(at.sent()).toHaveLength(1);
    expect(await at.refunds()).toHaveLength(0);
  },
);

test('still blocks an order after an unknown write whose customer was forgotten', async () => {
  const at = await withFaults('503=#1,only=POST');
  await at.work(script(...refund, 'q'), at);
  const { email } = JSON.parse((await at.cb('orders get DIGITAL1 -o json', at)).out)[0];
  await at.cb('sync --tables orders,tickets', at);
  expect(await at.cb(`sync forget --email ${email} --yes`, at)).toMatchObject({ code: 0 });
  expectExit(await at.work(script('f', 'x', 'l', 'q'), at), 0, 'Press l to look again');
  expect(at.sent()).toHaveLength(1);
});

test('sends nothing if another session has sent the same write meanwhile and does not know its outcome', async () => {
  const at = await withFaults('503=#1,only=POST');
  const keys = [...refund, 'q'];
  const second = agent(async ({ question }) => {
    if (question.startsWith('Send it')) await at.work(script(...refund, 'q'), at);
    return keys.shift() ?? 'q';
  });
  const ran = await at.work(second, at);
  expect(at.sent()).toHaveLength(1);
  const says = 'Another session has sent the same write, and its outcome is unknown';
  expect(oneLine(ran.err)).toContain(says);
  expect(at.log().map(({ state }) => state)).toEqual(['unknown']);
});

test('sends a refund again after a look that found nothing, and a new confirmation', async () => {
  const at = await withFaults('503=#1,only=POST');
  const ran = await at.work(script(...refund, 'l', ...refund, 'q'), at);
  expect(ran.err).toContain('ClickBank does not show it.');
  expect(oneLine(ran.err)).toContain('it may still arrive. Using');
  expect(at.log().map(({ state }) => state)).toEqual(['unknown', 'done']);
  expect(await at.refunds()).toHaveLength(1);
});

test('finds with a look a refund that arrived late, and does not offer another', async () => {
  const at = await withFaults('503=#1,only=POST');
  const keys = [...refund, 'l', 'f', 'q'];
  const person = agent(async () => {
    const key = keys.shift() ?? 'q';
    if (key === 'l') {
      // The request of the lost answer is carried out later.
      at.sandbox.setFaults(undefined);
      const late = { type: 'rfnd', refundType: 'FULL', reason: 'ticket.type.refund.2' } as const;
      await at.client.call(tickets.create, { receipt: 'DIGITAL1', ...late });
    }
    return key;
  });
  const ran = await at.work(person, { args: `${at.args} -o json --no-color` });
  expectExit(ran, 0, 'ClickBank shows the write, so it is done.');
  expect(oneLine(ran.err)).toContain('You have already refunded or canceled DIGITAL1');
  expect(JSON.parse(ran.out)).toMatchObject([{ action: 'refund', outcome: 'done' }]);
  expect(at.log().map(({ state }) => state)).toEqual(['done']);
  expect(await at.refunds()).toHaveLength(1);
});

test('appends what was sent to the file of --log, one line each, without formulas', async () => {
  const at = await withFaults();
  const env = await at.altered((body) => body.replaceAll('ada.sample@', '=ada.sample@'));
  await at.work(script(...refund, 'q'), { ...at, env });
  await at.work(script('x', 'y', 'q'), at);
  expect(at.csv().map(({ action, outcome }) => [action, outcome])).toEqual([
    ['refund', 'done'],
    ['close', 'done'],
  ]);
  expect(readFileSync(join(at.folder, 'log.csv'), 'utf8')).not.toMatch(/,=/);
});

test('sends nothing with another table as --log, and leaves it unchanged', async () => {
  const at = await withFaults();
  const file = join(at.folder, 'log.csv');
  writeFileSync(file, 'a,b\n1,2\n');
  const ran = await at.work(script(...refund, 'q'), at);
  expectExit(ran, 2, /is not a log of cb tickets work.*Nothing was sent\./);
  expect(readFileSync(file, 'utf8')).toBe('a,b\n1,2\n');
  expect(at.sent()).toEqual([]);
});

const cannotWrite = "can't be (?:locked|written) .*";

test.skipIf(noSmallDisk !== undefined).each([
  ['before an action is sent', 'y', 3, 0, `The ledger .* ${cannotWrite}Nothing was sent\\.`],
  ['when it has been sent', 'answer', 8, 1, `${cannotWrite}was sent, but its outcome is not`],
] as const)('ends truly if the disk is full %s', async (_, moment, code, sent, says) => {
  const at = await withFaults();
  const { folder } = smallDisk(at.folder);
  const fill = () => {
    for (const size of [65_536, 4096, 1]) {
      try {
        for (;;) appendFileSync(join(folder, 'full'), Buffer.alloc(size));
      } catch {
        // Full, up to this size.
      }
    }
  };
  const env = await at.altered((body) => {
    if (moment === 'answer' && at.sent().length > 0) fill();
    return body;
  });
  const keys = [...refund, 'q'];
  const person = agent(({ question }) => {
    if (moment === 'y' && question.startsWith('Send it')) fill();
    return keys.shift() ?? 'q';
  });
  const ran = await at.work(person, { ...at, env: { ...env, XDG_DATA_HOME: folder } });
  expectExit(ran, code, new RegExp(says));
  expect(at.sent()).toHaveLength(sent);
});
