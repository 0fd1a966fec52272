/** Questions to the person, in both revisions of the protocol. */
import { PassThrough } from 'node:stream';
import { Client, type ElicitResult } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { inputOf, outputOf, text } from '../../../src/features/agents/arguments.ts';
import { serveMcp } from '../../../src/features/agents/server.ts';
import type { Answer, McpSession, Tool } from '../../../src/features/agents/tool.ts';
import { sessionLimits } from '../../../src/features/agents/tool.ts';
import { transportOn } from '../../support/agent.ts';
import { now } from '../../support/cb.ts';

type Era = 'legacy' | 'modern';

/** Serves one tool, which asks and reports what it was answered. */
async function serveAsking(era: Era, answer?: () => ElicitResult | Promise<ElicitResult>) {
  const answers: (Answer | undefined)[] = [];
  const entries: unknown[] = [];
  const tool: Tool = {
    ...{ name: 'pay', title: 'Pay', description: 'Pays.', writes: true },
    input: inputOf({ to: text() }, ['to']),
    output: outputOf({ said: text() }),
    async run({ to }, { canAsk }) {
      const answered = async (answer?: Answer) => {
        answers.push(answer);
        return { summary: 'Asked.', data: { said: answer?.action ?? 'nobody' } };
      };
      if (!canAsk) return answered();
      const pay = { type: 'string', title: 'Pay', enum: ['no', 'yes'], default: 'no' } as const;
      return { question: { message: `Pay ${to}?`, fields: { pay } }, answered };
    },
  };
  const stop = new AbortController();
  const session = {
    ...{
      limits: sessionLimits({ requests: 1, refundTotals: {} }),
      allowsWrites: true,
      version: '0',
      client: {},
    },
    log: { add: async (entry: unknown) => void entries.push(entry) },
    ...{ signal: stop.signal, now: () => now, redact: (line: string) => line },
    explain: (error: unknown) => ({ message: String(error) }),
  } as unknown as McpSession;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveMcp(session, { input, output, onProblem: () => undefined }, [tool]);
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: answer ? { elicitation: {} } : {},
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  );
  if (answer) client.setRequestHandler('elicitation/create', () => answer());
  await client.connect(transportOn(input, output));
  onTestFinished(async () => {
    stop.abort();
    await served;
  });
  return { client, answers, entries };
}

const eras = ['legacy', 'modern'] as const;
const call = { name: 'pay', arguments: { to: 'ada' } };

test.each(eras)('passes the answer of the person to the tool (%s)', async (era) => {
  const yes = { action: 'accept', content: { pay: 'yes' } } as const;
  const { client, answers, entries } = await serveAsking(era, () => yes);
  expect(await client.callTool(call)).toMatchObject({ structuredContent: { said: 'accept' } });
  expect(answers).toEqual([yes]);
  expect(entries).toMatchObject([{ outcome: 'begun' }, { outcome: 'done', answer: 'accept' }]);
});

test.each(eras)('gives the tool no way to ask if the client can not ask (%s)', async (era) => {
  const { client, answers } = await serveAsking(era);
  expect(await client.callTool(call)).toMatchObject({ structuredContent: { said: 'nobody' } });
  expect(answers).toEqual([undefined]);
});

test('counts no answer as a no when the client fails to ask', async () => {
  const { client, answers } = await serveAsking('legacy', () => {
    throw new Error('The window was closed.');
  });
  await client.callTool(call);
  expect(answers).toEqual([{ action: 'cancel' }]);
});

/** Calls the tool and returns its question without answering it. */
async function askedBy(client: Client) {
  const asked = (await client.callTool(call, { allowInputRequired: true })) as unknown as {
    readonly requestState: string;
  };
  expect(asked.requestState).toBeTypeOf('string');
  return asked.requestState;
}

const accepted = { answer: { action: 'accept', content: { pay: 'yes' } } };

function answerWith(client: Client, requestState: string, args: object, inputResponses: object) {
  const params = { name: 'pay', arguments: args, requestState, inputResponses };
  return client.callTool(params as never, { allowInputRequired: true });
}

test.each([
  ['without an answer', {}],
  ['with a text instead of an answer', { answer: { action: 'yes' } }],
])('counts no answer on a repetition %s', async (_, responses) => {
  const { client, answers } = await serveAsking('modern', () => ({ action: 'decline' }));
  const state = await askedBy(client);
  await answerWith(client, state, { to: 'ada' }, responses);
  expect(answers).toEqual([{ action: 'cancel' }]);
});

test('takes the answer to one call for no other, and drops the question', async () => {
  const { client, answers } = await serveAsking('modern', () => ({ action: 'decline' }));
  const state = await askedBy(client);
  for (const to of ['eve', 'ada']) {
    expect(await answerWith(client, state, { to }, accepted)).toMatchObject({ isError: true });
  }
  expect(answers).toEqual([]);
});

test('accepts each answer once', async () => {
  const { client, answers } = await serveAsking('modern', () => ({ action: 'decline' }));
  const state = await askedBy(client);
  await answerWith(client, state, { to: 'ada' }, accepted);
  const again = await answerWith(client, state, { to: 'ada' }, accepted);
  expect(again).toMatchObject({ isError: true });
  expect(answers).toHaveLength(1);
});
