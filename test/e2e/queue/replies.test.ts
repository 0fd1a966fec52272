/** Saved replies: stored privately, checked when they are saved, and filled in before they are sent. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tickets } from '../../../src/operations/tickets.ts';
import { home } from '../../support/cb.ts';
import { person } from '../../support/person.ts';
import { agent, oneLine, script, servedQueue } from '../../support/queue.ts';
import { expectExit } from '../../support/refusal.ts';

test('adds, lists, shows, changes and removes a reply', async () => {
  const { cb, folder } = home();
  const text = 'Dear {firstName}, thank you.';
  expect((await cb(`replies add thanks '${text}'`)).code).toBe(0);
  const file = join(folder, '.config/clickbank-cli/replies.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await cb('replies show thanks')).toMatchObject({ code: 0, out: `${text}\n` });
  await cb('replies add thanks -', { stdin: 'Thanks a lot\n' });
  expect(JSON.parse((await cb('replies list -o json')).out)).toEqual([
    { name: 'thanks', text: 'Thanks a lot' },
  ]);
  expect((await cb('replies remove thanks')).code).toBe(0);
  expect(JSON.parse((await cb('replies list -o json')).out)).toEqual([]);
  expectExit(await cb('replies remove thanks'), 2, "There is no saved reply 'thanks'.");
  // The text is asked for on a terminal, and required elsewhere.
  const typist = person('Hello {fullName}');
  expect((await cb('replies add hi', { columns: 80, person: typist })).code).toBe(0);
  expect((await cb('replies show hi')).out).toBe('Hello {fullName}\n');
  expect(await cb('replies add other')).toMatchObject({ code: 2 });
});

test('refuses a reply that could not be sent, and says why', async () => {
  const { cb } = home();
  for (const [words, says] of [
    ["hi 'Dear\nAda'", /The text contains a line break/],
    [`hi ${'a'.repeat(1801)}`, /1801 characters long/],
    [`hi ${'漢'.repeat(300)}`, /2700 characters long, URL-enc/],
  ] as const) {
    expectExit(await cb(`replies add ${words}`), 2, says);
  }
  expect((await cb('replies list -o json')).out).toBe('[]\n');
});

test('keeps all replies that several processes add at once', async () => {
  const { cb } = home();
  const names = Array.from({ length: 8 }, (_, i) => `r${i}`);
  await Promise.all(names.map((name) => cb(`replies add ${name} text`)));
  const rows: { name: string }[] = JSON.parse((await cb('replies list -o json')).out);
  expect(rows.map(({ name }) => name)).toEqual(names);
});

test('reports a damaged file and leaves it as it is', async () => {
  const { cb, folder } = home();
  await cb('replies add hi Hello');
  const file = join(folder, '.config/clickbank-cli/replies.json');
  writeFileSync(file, '{"replies":');
  expect(await cb('replies list')).toMatchObject({ code: 2 });
  expect(await cb('replies add other Hello')).toMatchObject({ code: 2 });
  expect(readFileSync(file, 'utf8')).toBe('{"replies":');
});

const lastComment = async ({ client }: Awaited<ReturnType<typeof servedQueue>>) =>
  (await client.call(tickets.get, { id: '1001' })).comments?.at(-1);

test('fills in a reply, shows it before it is sent, and sends it as the comment', async () => {
  const at = await servedQueue();
  await at.cb(
    "replies add hello 'Dear {firstName} {lastName}, {fullName}: {product} ({receipt}, {amount}), ticket {ticketId}, {email}.'",
  );
  const ran = await at.work(script('r', '1', 'y', 'q'), { args: '--receipt TICKET01' });
  const comment =
    'Dear Ada Sample, Ada Sample: The "No-Dig" Guide (TICKET01, 37.00 USD), ticket 1001, ada.sample@example.com.';
  expect(oneLine(ran.err)).toContain(`Add the comment '${comment}' to ticket 1001`);
  expect(await lastComment(at)).toMatchObject({ comment, action: 'COMMENTED' });
});

test('fills in no amount whose currency is disputed', async () => {
  const at = await servedQueue();
  await at.cb("replies add paid 'You paid {amount}.'");
  const env = await at.altered((body) => body.replaceAll('"currency":"USD"', '"currency":"JPY"'));
  const ran = await at.cb('tickets comment 1001 --reply paid --dry-run', { env });
  expectExit(ran, 2, 'Ticket 1001 has no value for {amount}.', '');
  const extended = await at.cb('orders extend LIMITED1 --num-periods 2 --dry-run', { env });
  expect(extended.err).toContain('Add 2 payments to the subscription');
});

test('requires an edit if a placeholder has no value', async () => {
  const at = await servedQueue();
  await at.cb("replies add hello 'Dear {firstName} {lastName},'");
  const env = await at.altered((body) =>
    body.replaceAll('"customerLastName":"Sample"', '"customerLastName":{"@nil":"true"}'),
  );
  const texts = ['Dear Ada {lastName},', 'Dear Ada,'];
  const rejected: string[] = [];
  const keys = ['r', '1', 'y', 'q'];
  const person = agent(({ question }) =>
    question.startsWith('Reply') ? (texts.at(-1) ?? '') : (keys.shift() ?? 'q'),
  );
  const asks = person.input;
  person.input = async (question, check, initial) => {
    rejected.push(initial ?? '', check?.(texts[0] ?? '') ?? '');
    return asks(question, check, initial);
  };
  const ran = await at.work(person, { env, args: '--receipt TICKET01' });
  expect(oneLine(ran.err)).toContain('{lastName} has no value for this ticket. Edit the text.');
  expect(rejected).toEqual([
    'Dear Ada {lastName},',
    'Replace {lastName}, which has no value for this ticket.',
  ]);
  expect(await lastComment(at)).toMatchObject({ comment: 'Dear Ada,' });
});

test('edits a reply before it is sent, and does not send the same one twice in a session', async () => {
  const at = await servedQueue();
  await at.cb("replies add hello 'Dear {firstName}'");
  const edited = ['r', '1', 'e', 'Dear Ada, thank you.', 'y'];
  const again = ['r', 't', 'Dear Ada, thank you.', 'q'];
  const ran = await at.work(script(...edited, ...again), { args: '--receipt TICKET01' });
  expect(oneLine(ran.err)).toContain('You have already sent exactly this in this session.');
  expect(await lastComment(at)).toMatchObject({ comment: 'Dear Ada, thank you.' });
  expect(at.sent()).toHaveLength(1);
});

test('rejects a typed reply that is longer than a request may be', async () => {
  const at = await servedQueue();
  const person = agent(({ question }) =>
    question.startsWith('Reply') ? 'a'.repeat(2000) : question === '' ? 'r' : 'n',
  );
  const ran = await at.work(person, { args: '--receipt TICKET01' });
  expect(oneLine(ran.err)).toContain('ClickBank accepts 2000 at most');
  expect(at.sent()).toEqual([]);
});

test('sends a saved reply with cb tickets comment --reply', async () => {
  const at = await servedQueue();
  const { env } = at;
  await at.cb("replies add hello 'Dear {firstName}, about {product}.'");
  await at.cb('replies add plain Hello');
  expect((await at.cb('tickets comment 1001 --reply hello --yes', { env })).code).toBe(0);
  const comment = 'Dear Ada, about The "No-Dig" Guide.';
  expect(await lastComment(at)).toMatchObject({ comment });
  expect((await at.cb('tickets comment 1001 1003 --reply plain --yes', { env })).code).toBe(0);
  expect(at.sent()).toHaveLength(3);
});
