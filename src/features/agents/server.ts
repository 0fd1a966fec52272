/** The agent server over the two streams: lists tools, checks arguments and results, and runs calls. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { listedPrompts, promptFrom, readResource, resources } from './resources.ts';
import { type Asked, type Content, errorContent, instructions, runTool } from './running.ts';
import { asDeclared } from './schema.ts';
import { type Answer, type McpSession, type Tool, type ToolArguments, ToolError } from './tool.ts';
import { listedTools } from './tools/tools.ts';

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  /** Reports what could not be read or sent; nothing of it reaches the client. */
  onProblem(error: Error): void;
}

/** Serves one client, until the input ends, the output is lost, or the session is stopped. */
export async function serveMcp(
  session: McpSession,
  { input, output, onProblem }: Streams,
  tools: readonly Tool[] = listedTools(session.allowsWrites),
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const shared: Shared = { tools, session: { ...session, signal }, asked: new Map() };
  const calls = new Set<Promise<unknown>>();
  const transport = new StdioServerTransport(input, output);
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    stop.abort();
  };
  const handle = serveStdio(() => createServer(shared, calls), { transport, onerror: onProblem });
  if (!signal.aborted) await once(signal, 'abort');
  await handle.close();
  await Promise.allSettled(calls);
  await giveUp(shared, () => true);
}

/** What the servers of one client share: each of its requests can have its own. */
interface Shared {
  readonly tools: readonly Tool[];
  readonly session: McpSession;
  /** The calls that wait for an answer, by the state that the client sends back with it. */
  readonly asked: Map<string, Waiting>;
}

interface Waiting extends Asked {
  readonly tool: string;
  readonly args: ToolArguments;
  /** By `performance.now()`. */
  readonly until: number;
}

/** Ends calls that nobody has answered, so that the log has their outcome. */
async function giveUp({ asked, session }: Shared, isOver: (one: Waiting) => boolean) {
  for (const [state, one] of asked) {
    if (!isOver(one)) continue;
    asked.delete(state);
    await one.answer({ action: 'cancel' }, session.signal);
  }
}

/** `calls` has the calls that run or wait for an answer in the same request. */
function createServer(shared: Shared, calls: Set<Promise<unknown>>): Server {
  const { tools, session } = shared;
  const server = new Server(
    { name: 'clickbank-cli', title: 'ClickBank', version: session.version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(descriptionOf) }));
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const call = callTool(shared, server, params.name, params.arguments ?? {}, ctx);
    calls.add(call);
    return call.finally(() => calls.delete(call));
  });
  server.setRequestHandler('resources/list', () => ({ resources }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const contents = await orProtocolError(session, () => readResource(uri, session));
    await session.log.add({ resource: uri, outcome: 'done' });
    return { contents: [contents] };
  });
  server.setRequestHandler('prompts/list', () => ({ prompts: listedPrompts() }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const { name, arguments: given = {} } = params;
    const { description, text } = await orProtocolError(session, () => promptFrom(name, given));
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  return server;
}

/** Resources and prompts have no results that say what went wrong. */
async function orProtocolError<T>(session: McpSession, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message } = error instanceof ToolError ? error : session.explain(error);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, session.redact(message));
  }
}

/** As `tools/list` shows a tool. A write may move money, and is never the same twice. */
export function descriptionOf(tool: Tool) {
  const { name, title, description, input, output, writes = false, isLocal = false } = tool;
  return {
    ...{ name, title, description },
    inputSchema: input as { type: 'object' },
    outputSchema: output as { type: 'object' },
    annotations: {
      title,
      readOnlyHint: !writes,
      destructiveHint: writes,
      idempotentHint: !writes,
      openWorldHint: !isLocal,
    },
  };
}

/** Milliseconds that a person has to answer. */
const patience = 15 * 60_000;

/** Calls that may wait for an answer at the same time. */
const mostWaiting = 20;

/**
 * Runs a call, and asks the person if it needs that. Until the protocol of 2025, the server sends a request and awaits its
 * answer. Since 2026, a call ends with a question, and the client repeats the call with the answer.
 */
async function callTool(
  shared: Shared,
  server: Server,
  name: string,
  given: ToolArguments,
  ctx: ServerContext,
) {
  const { tools, session, asked } = shared;
  const tool = tools.find((one) => one.name === name);
  const args = tool ? asDeclared(tool.input.properties, given) : given;
  const by = programOf(server, ctx);
  const refuse = async (message: string) => {
    await session.log.add({ tool: name, by, arguments: args, outcome: 'refused', message });
    return errorContent(message);
  };
  if (!tool) return refuse(`There is no tool '${name}'.`);
  const { valid, errorMessage } = validate(tool.input, args);
  if (!valid) {
    return refuse(`${invalidArguments(tool.input, args, errorMessage)} Nothing was sent.`);
  }
  const { mcpReq } = ctx;
  const signal = AbortSignal.any([mcpReq.signal, session.signal]);
  await giveUp(shared, ({ until }) => performance.now() > until);
  const state = mcpReq.requestState<string>();
  if (state !== undefined) {
    const waiting = asked.get(state);
    // An answer counts once, and only for the very call that asked.
    asked.delete(state);
    if (!waiting) return refuse('This question was answered already, or it has expired.');
    if (waiting.tool !== name || !isDeepStrictEqual(waiting.args, args)) {
      await waiting.answer({ action: 'cancel' }, session.signal);
      return refuse('The call is not the one that asked. Nothing was sent.');
    }
    const answer = answerFrom(mcpReq.inputResponses?.answer);
    return checkedContent(tool, await waiting.answer(answer, signal));
  }
  const end = await runTool(tool, args, session, { signal, canAsk: canAsk(server, ctx), by });
  if (!('question' in end)) return checkedContent(tool, end);
  // Only a client of the later revision repeats calls.
  if (mcpReq.envelope !== undefined && asked.size < mostWaiting) {
    const requestState = randomUUID();
    asked.set(requestState, { ...end, tool: name, args, until: performance.now() + patience });
    return inputRequired({
      inputRequests: { answer: inputRequired.elicit(end.question) },
      requestState,
    });
  }
  const isOld = mcpReq.envelope === undefined;
  const options = { timeout: patience, signal: mcpReq.signal };
  // No answer in time, or a client that can't ask after all, is none.
  const answered = isOld
    ? await mcpReq.elicitInput(end.question, options).catch(() => undefined)
    : undefined;
  return checkedContent(tool, await end.answer(answerFrom(answered), signal));
}

/** Compiles each schema once. */
const validator = new AjvJsonSchemaValidator();

const validate = (schema: Tool['input'], value: unknown) =>
  validator.getValidator(schema as object)(value);

/** A result that breaks its schema is an error of this program. */
function checkedContent({ output }: Tool, content: Content): Content {
  if (!('structuredContent' in content) || content.isError) return content;
  const { valid, errorMessage } = validate(output, content.structuredContent);
  if (valid) return content;
  return errorContent(`Internal error: the result is not valid: ${errorMessage}.`);
}

/** What the client says about itself in a request, in the protocol of 2026. */
function saidIn({ mcpReq }: ServerContext, key: string): object | undefined {
  return (mcpReq.envelope as Readonly<Record<string, object>> | undefined)?.[key];
}

/** As in `claude-code 2.1`; undefined if the client does not say. */
function programOf(server: Server, ctx: ServerContext): string | undefined {
  const named = saidIn(ctx, CLIENT_INFO_META_KEY) ?? server.getClientVersion();
  if (!named) return undefined;
  const { name, version } = named as { name: string; version: string };
  return `${name} ${version}`;
}

/** `otherwise` is the message of the validator, for what has no sentence here. */
function invalidArguments(
  { properties, required = [] }: Tool['input'],
  args: ToolArguments,
  otherwise = '',
): string {
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
  const missing = required.filter((name) => args[name] === undefined);
  const sentences = [
    ...unknown.map((name) => `There is no argument '${name}'.`),
    ...missing.map((name) => `The argument '${name}' is missing.`),
    ...Object.entries(properties).flatMap(([name, { enum: one, items }]) => {
      const allowed = one ?? items?.enum;
      const values = [args[name] ?? []].flat().map(String);
      if (!allowed || values.every((value) => allowed.includes(value))) return [];
      return [`'${name}' must be one of ${allowed.join(', ')}.`];
    }),
  ];
  if (sentences.length === 0) return `Invalid arguments: ${otherwise.replaceAll('data/', '')}.`;
  const known =
    unknown.length > 0 ? ` The arguments are ${Object.keys(properties).join(', ')}.` : '';
  return `Invalid arguments: ${sentences.join(' ')}${known}`;
}

function canAsk(server: Server, ctx: ServerContext): boolean {
  const declared = saidIn(ctx, CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities();
  const { elicitation } = (declared ?? {}) as {
    readonly elicitation?: { readonly form?: unknown; readonly url?: unknown };
  };
  // An empty object, as in the first revision, means forms.
  return elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url);
}

/** What a client sends is not trusted: anything but a clear answer is none. */
function answerFrom(given: unknown): Answer {
  const { action, content } = (given ?? {}) as { action?: unknown; content?: unknown };
  if (action === 'decline') return { action };
  if (action !== 'accept') return { action: 'cancel' };
  const isForm = typeof content === 'object' && content !== null && !Array.isArray(content);
  return { action, content: isForm ? (content as Record<string, unknown>) : {} };
}
