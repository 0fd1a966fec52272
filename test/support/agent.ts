/** An agent: the official client of the protocol, connected to `cb mcp` in this process. */
import { PassThrough } from 'node:stream';
import {
  Client,
  type ElicitRequestFormParams,
  type ElicitResult,
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { run } from '../../src/run.ts';
import { home, type Options, world } from './cb.ts';
import { syncedHome } from './copy.ts';

export interface AgentOptions extends Options {
  /** The arguments after `cb mcp`. */
  readonly args?: readonly string[];
  /** A home folder; a new one when absent. */
  readonly folder?: string;
  /** The revision of the protocol: `legacy` is that of 2025, `modern` that of 2026. */
  readonly era?: 'legacy' | 'modern';
  /** Answers what the server asks the person. Without it, the client can't ask. */
  readonly person?: never;
  readonly answer?: (question: ElicitRequestFormParams) => ElicitResult | Promise<ElicitResult>;
}

export type Agent = Awaited<ReturnType<typeof startAgent>>;

/** Runs `cb mcp` with two streams until the test ends. */
export function runMcp(args: readonly string[], folder: string, options: Options) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { context, stderr } = world(folder, options);
  const streams = {
    stdin: Object.assign(input, { isTTY: false }),
    stdout: { write: (text: string | Uint8Array, done = () => {}) => output.write(text, done) },
  };
  const ended = run(['mcp', ...args], { ...context, ...streams });
  onTestFinished(async () => {
    input.end();
    await ended;
  });
  return { input, output, ended, stderr };
}

/** Starts `cb mcp` and connects; both end with the test. */
export async function startAgent(options: AgentOptions = {}) {
  const { args = [], folder = home().folder, era = 'legacy', answer } = options;
  const { input, output, ended, stderr } = runMcp(args, folder, options);
  const client = new Client(
    { name: 'test-agent', version: '1.0.0' },
    {
      capabilities: answer ? { elicitation: {} } : {},
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  );
  if (answer) {
    client.setRequestHandler('elicitation/create', ({ params }) =>
      answer(params as ElicitRequestFormParams),
    );
  }
  const isLost = ended.then((code) => {
    throw new Error(`cb mcp ended with ${code}: ${stderr.text}`);
  });
  isLost.catch(() => undefined);
  await Promise.race([client.connect(transportOn(input, output)), isLost]);
  return {
    client,
    folder,
    async call(name: string, args: Readonly<Record<string, unknown>> = {}) {
      const result = await client.callTool({ name, arguments: args });
      const { content, structuredContent, isError = false, _meta: meta } = result;
      const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
      const data = (structuredContent ?? {}) as Readonly<Record<string, unknown>>;
      return { text, data, isError, meta };
    },
    stderr: () => stderr.text,
    /** Closes stdin and returns the exit code. */
    close() {
      input.end();
      return ended;
    },
  };
}

/** An agent whose home has a copy of ten days of orders of the sandbox. */
export async function agentWithCopy(options: AgentOptions = {}) {
  const { folder } = await syncedHome('--sandbox sync --since -10d --tables orders', 60);
  return startAgent({ folder, args: ['--sandbox'], ...options });
}

/** The messages of the protocol over two streams of this process. */
export function transportOn(input: PassThrough, output: PassThrough): Transport {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    async start() {
      output.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        for (let next = buffer.readMessage(); next; next = buffer.readMessage()) {
          transport.onmessage?.(next);
        }
      });
    },
    send: async (message: JSONRPCMessage) => {
      input.write(serializeMessage(message));
    },
    close: async () => {
      input.end();
      transport.onclose?.();
    },
  };
  return transport;
}
