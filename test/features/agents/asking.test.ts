/** Questions to the person in the protocol of 2026: a client repeats the call with the answer. */
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { inputOf, outputOf, text } from '../../../src/features/agents/schema.ts';
import { serveMcp } from '../../../src/features/agents/server.ts';
import {
  type Answer,
  type McpSession,
  SessionLimits,
  type Tool,
} from '../../../src/features/agents/tool.ts';
import { transportOn } from '../../support/agent.ts';
import { now } from '../../support/cb.ts';

/** Serves one tool, which asks and reports what it was answered. */
async function serveAsking() {
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
    ...{
      limits: new SessionLimits({ requests: 1, refundTotals: {} }),
      allowsWrites: true,
      version: '0',
      client: {},
    },
    log: { add: async (line: object) => void logged.push(line) },
    ...{ signal: stop.signal, now: () => now, redact: (line: string) => line },
    explain: (error: unknown) => ({ message: String(error) }),
  } as unknown as McpSession;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveMcp(session, { input, output, onProblem: () => undefined }, [tool]);
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  await client.connect(transportOn(input, output));
  const end = async () => {
    stop.abort();
    await served;
  };
  onTestFinished(end);
  return { client, answers, end, logged };
}

const call = { name: 'pay', arguments: { to: 'ada' } };

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
  const { client, answers } = await serveAsking();
  const state = await askedBy(client);
  await answerWith(client, state, { to: 'ada' }, responses);
  expect(answers).toEqual([{ action: 'cancel' }]);
});

test('takes the answer to one call for no other, and drops the question', async () => {
  const { client, answers } = await serveAsking();
  const state = await askedBy(client);
  for (const to of ['eve', 'ada']) {
    expect(await answerWith(client, state, { to }, accepted)).toMatchObject({ isError: true });
  }
  expect(answers).toEqual([{ action: 'cancel' }]);
});

test('ends a question that is open at the end of the session, and logs the outcome of its call', async () => {
  const { client, answers, end, logged } = await serveAsking();
  await askedBy(client);
  await end();
  expect(answers).toEqual([{ action: 'cancel' }]);
  expect(logged).toMatchObject([{ outcome: 'begun' }, { outcome: 'done', answer: 'cancel' }]);
});

test('accepts each answer once', async () => {
  const { client, answers } = await serveAsking();
  const state = await askedBy(client);
  await answerWith(client, state, { to: 'ada' }, accepted);
  const again = await answerWith(client, state, { to: 'ada' }, accepted);
  expect(again).toMatchObject({ isError: true });
  expect(answers).toHaveLength(1);
});
