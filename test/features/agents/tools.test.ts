/** What agents read: the list of tools, the glossary, questions to the person in the protocol of 2026, and the log of calls. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer';
import { expect, onTestFinished, test } from 'vitest';
import { openCallLog, readCallLog } from '../../../src/features/agents/call-log.ts';
import { glossary } from '../../../src/features/agents/resources.ts';
import { inputOf, outputOf, text } from '../../../src/features/agents/schema.ts';
import { descriptionOf, serveMcp } from '../../../src/features/agents/server.ts';
import {
  type Answer,
  type McpSession,
  SessionLimits,
  type Tool,
} from '../../../src/features/agents/tool.ts';
import { listedTools } from '../../../src/features/agents/tools/tools.ts';
import { transportOn } from '../../support/agent.ts';
import { home, now } from '../../support/cb.ts';

const all = listedTools(true).map(descriptionOf);

const lines = (object: object, indent = '') =>
  Object.entries(object).map(([key, value]) => `${indent}${key}: ${JSON.stringify(value)}\n`);

/** A change of this file is a change for every agent, so it is reviewed. An argument is one line. */
test('lists the tools with the reviewed schemas', async () => {
  const text = all.flatMap(({ name, title, annotations, inputSchema, ...tool }) => {
    const { properties = {}, ...schema } = inputSchema as { properties?: object };
    const facts = { tool: { name, title, annotations }, ...tool, inputSchema: schema };
    return [...lines(facts), ...lines(properties, '  '), '\n'];
  });
  await expect(text.join('')).toMatchFileSnapshot('../../golden/mcp-tools.txt');
});

test('describes all tools in less than 8,000 tokens', () => {
  const tokens = encode(JSON.stringify(all)).length;
  expect(tokens).toBeGreaterThan(2000);
  expect(tokens).toBeLessThan(8000);
});

test('explains the terms of ClickBank as docs/glossary.md does', () => {
  const [, terms = ''] = readFileSync('docs/glossary.md', 'utf8').split('## Terms of ClickBank');
  const [own = ''] = terms.split('## Terms of cb');
  const paragraphs = own.trim().split('\n\n');
  expect(glossary.split('\n\n')).toEqual(paragraphs.map((text) => text.replaceAll('\n', ' ')));
});

const accepted = { answer: { action: 'accept', content: { pay: 'yes' } } };

/** Serves and calls one tool, which asks and reports what it was answered. The log takes only so many entries. */
async function questionOf(mostLogged = Number.POSITIVE_INFINITY) {
  const answers: Answer[] = [];
  const logged: object[] = [];
  const tool: Tool = {
    ...{ name: 'pay', title: 'Pay', description: 'Pays.', writes: true },
    input: inputOf({ to: text() }, ['to']),
    output: outputOf({ said: text() }),
    async run({ to }) {
      const answered = async (answer: Answer) => {
        answers.push(answer);
        return { summary: 'Asked.', data: { said: answer.action } };
      };
      const requestedSchema = {
        type: 'object' as const,
        properties: { pay: { type: 'string' as const, enum: ['no', 'yes'], default: 'no' } },
      };
      return { question: { message: `Pay ${to}?`, requestedSchema }, answered };
    },
  };
  const stop = new AbortController();
  const session = {
    limits: new SessionLimits({ requests: 1, refundTotals: {} }),
    allowsWrites: true,
    version: '0',
    client: {},
    log: {
      async add(line: object) {
        if (logged.push(line) > mostLogged) throw new Error('The disk is full.');
      },
    },
    ...{ signal: stop.signal, now: async () => now, redact: (line: string) => line },
    explain: (error: unknown) => ({ message: String(error) }),
  } as unknown as McpSession;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveMcp(session, { input, output, onProblem: () => undefined }, [tool]);
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(transportOn(input, output));
  const end = async () => {
    stop.abort();
    await served;
  };
  onTestFinished(end);
  const call = { name: 'pay', arguments: { to: 'ada' } };
  const asked = await client.callTool(call, { allowInputRequired: true });
  const { requestState } = asked as unknown as { readonly requestState: string };
  expect(requestState).toBeTypeOf('string');
  /** Repeats the call, with an answer. */
  const answer = (to: string, inputResponses: object = accepted) => {
    const params = { name: 'pay', arguments: { to }, requestState, inputResponses };
    return client.callTool(params as never, { allowInputRequired: true });
  };
  return { answer, answers, end, logged };
}

test.each([
  ['without an answer', {}],
  ['with a text instead of an answer', { answer: { action: 'yes' } }],
])('counts no answer on a repetition %s', async (_, responses) => {
  const { answer, answers } = await questionOf();
  await answer('ada', responses);
  expect(answers).toEqual([{ action: 'cancel' }]);
});

test('takes the answer to one call for no other, and drops the question', async () => {
  const { answer, answers } = await questionOf();
  for (const to of ['eve', 'ada']) expect(await answer(to)).toMatchObject({ isError: true });
  expect(answers).toEqual([{ action: 'cancel' }]);
});

test('ends a question that is open at the end of the session, and logs the outcome of its call', async () => {
  const { answers, end, logged } = await questionOf();
  await end();
  expect(answers).toEqual([{ action: 'cancel' }]);
  expect(logged).toMatchObject([{ outcome: 'begun' }, { outcome: 'done', answer: 'cancel' }]);
});

test('returns the outcome of a write that cannot be logged', async () => {
  const { answer } = await questionOf(1);
  expect(await answer('ada')).toMatchObject({ structuredContent: { said: 'accept' } });
});

test('accepts each answer once', async () => {
  const { answer, answers } = await questionOf();
  await answer('ada');
  expect(await answer('ada')).toMatchObject({ isError: true });
  expect(answers).toHaveLength(1);
});

const processes = { own: process.pid, isRunning: () => true };

function place() {
  const folder = join(home().folder, 'mcp');
  const redact = (text: string) => text.replaceAll('API-SECRET', '(the key)');
  return { folder, processes, now: () => now, redact };
}

test('keeps two private files of bounded size, with the newest entries', async () => {
  const where = place();
  const log = openCallLog(where, { session: 's' }, 2000);
  for (let number = 1; number <= 100; number++) await log.add({ number });
  const files = readdirSync(where.folder).sort();
  expect(files).toEqual(['calls.1.ndjson', 'calls.ndjson']);
  for (const file of files) {
    const { size, mode } = statSync(join(where.folder, file));
    expect(size).toBeLessThan(2200);
    expect(mode & 0o777).toBe(0o600);
  }
  const entries = await readCallLog(where.folder);
  const numbers = entries.map(({ number }) => number as number);
  expect(numbers.at(-1)).toBe(100);
  expect(numbers).toEqual(numbers.map((_, i) => 101 - numbers.length + i));
});

test('loses no entry when two sessions write at the same time', async () => {
  const where = place();
  const logs = ['one', 'two'].map((session) => openCallLog(where, { session }));
  await Promise.all(Array.from({ length: 200 }, (_, number) => logs[number % 2]?.add({ number })));
  const entries = await readCallLog(where.folder);
  expect(new Set(entries.map(({ number }) => number)).size).toBe(200);
});

test('redacts keys, cuts long texts, and leaves out arguments that are too long', async () => {
  const where = place();
  const names = Array.from({ length: 100_000 }, (_, i) => i);
  await openCallLog(where, {}).add({ tool: 'x', arguments: { names } });
  await openCallLog(where, {}).add({ arguments: { a: 'API-SECRET', b: 'x'.repeat(9000) } });
  const text = readFileSync(join(where.folder, 'calls.ndjson'), 'utf8');
  expect(text).toContain('(the key)');
  expect(text).not.toContain('API-SECRET');
  expect(text.length).toBeLessThan(2300);
  const [first, ...others] = await readCallLog(where.folder);
  expect(first).toMatchObject({ tool: 'x', arguments: '(too long for the log)' });
  expect(others).toHaveLength(1);
});

test('reads the other entries of a file whose last line is cut short', async () => {
  const where = place();
  await openCallLog(where, {}).add({ number: 1 });
  const file = join(where.folder, 'calls.ndjson');
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"number":2,"arg`);
  expect(await readCallLog(where.folder)).toMatchObject([{ number: 1 }]);
});
