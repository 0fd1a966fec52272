/** Runs one call of a tool: limits, log, errors in words, and questions to the person. */
import { pacificDay } from '../dates/pacific.ts';
import { boundClient } from './bound-client.ts';
import { contentOf } from './marking.ts';
import type { Answer, Ask, McpSession, Question, Tool, ToolArguments, ToolCall } from './tool.ts';
import { ToolError } from './tool-error.ts';

export type Content = ReturnType<typeof contentOf> | ErrorContent;

/** A type and not an interface, because the protocol allows more members. */
type ErrorContent = {
  readonly content: { type: 'text'; text: string }[];
  readonly isError: true;
};

/** What a call needs besides its session. */
export interface CallOptions {
  readonly signal: AbortSignal;
  readonly ask: Ask | undefined;
  /** The name and version of the program that called. */
  readonly by: string | undefined;
}

/** Never throws. A write is logged before it runs, too: if that fails, it does not run. */
export async function runTool(
  tool: Tool,
  args: ToolArguments,
  session: McpSession,
  { signal, ask, by }: CallOptions,
): Promise<Content> {
  const notes: Record<string, string | number | boolean> = {};
  const [startedAt, before] = [performance.now(), session.limits.requests];
  const entry = { tool: tool.name, writes: tool.writes, by, arguments: args };
  const call: ToolCall = {
    ...session,
    client: boundClient(session.client, signal),
    signal,
    by,
    today: pacificDay(Math.floor(session.now().getTime() / 1000)),
    note: (facts) => {
      Object.assign(notes, facts);
    },
    ask: ask && ((question: Question) => noted(ask(question), notes)),
  };
  const finish = async (outcome: string, message?: string) => {
    const took = Math.round(performance.now() - startedAt);
    const requests = session.limits.requests - before;
    await session.log.add({ ...entry, outcome, message, requests, took, ...notes });
  };
  try {
    if (tool.writes) await session.log.add({ ...entry, outcome: 'begun' });
    const result = await tool.run(args, call);
    await finish(result.isError ? 'refused' : 'done', result.isError ? result.summary : undefined);
    return contentOf(tool, result);
  } catch (error) {
    const explained = explain(error, session);
    await finish('failed', explained).catch(() => undefined);
    return errorContent(explained);
  }
}

/** The result of a call that failed, as a text for the model. */
export function errorContent(text: string): ErrorContent {
  return { content: [{ type: 'text', text }], isError: true };
}

async function noted(answer: Promise<Answer>, notes: Record<string, unknown>): Promise<Answer> {
  const given = await answer;
  notes.answer = given.action;
  return given;
}

function explain(error: unknown, session: McpSession): string {
  const { message, hint } = error instanceof ToolError ? error : session.explain(error);
  return session.redact(hint === undefined ? message : `${message}\n${hint}`);
}
