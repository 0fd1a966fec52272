/** A client of `cb mcp` that sends lines of JSON, whatever they say. */
import type { Readable } from 'node:stream';
import { planIn } from './approvals.ts';

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly message?: string };
  readonly result?: { readonly isError?: boolean; readonly structuredContent?: { state?: string } };
}

export const asks = ({ method }: Message) => method === 'elicitation/create';

/** The answer of a person who agrees. */
export const yesTo = (question: Message) => ({
  action: 'accept',
  content: { decision: `Send it (plan ${planIn(question.params?.message ?? '')})` },
});

/** Resolves when the server has answered the first message. */
export async function rawAgent(write: (line: string) => unknown, output: Readable) {
  const seen: Message[] = [];
  const waiting: (() => void)[] = [];
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split('\n');
    rest = lines.pop() ?? '';
    seen.push(...lines.map((line) => JSON.parse(line) as Message));
    for (const wake of waiting.splice(0)) wake();
  });
  const send = (message: object) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const until = async (isIt: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      const found = seen.find(isIt);
      if (found) return found;
      await new Promise<void>((wake) => waiting.push(wake));
    }
  };
  const about = { capabilities: { elicitation: {} }, clientInfo: { name: 'raw', version: '1' } };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', ...about } });
  await until(({ id }) => id === 1);
  send({ method: 'notifications/initialized' });
  const call = (id: number, name: string, args: object) =>
    send({ id, method: 'tools/call', params: { name, arguments: args } });
  return { send, until, call };
}
