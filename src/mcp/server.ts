/** The agent server over the two streams: lists tools, checks arguments and results, and runs calls. */
import type { Readable, Writable } from 'node:stream';
import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { Conversations } from './asking.ts';
import { listedPrompts, listedResources, promptFrom, readResource } from './resources.ts';
import { type Content, errorContent, instructions, runTool } from './running.ts';
import {
  annotationsOf,
  type McpSession,
  type ObjectSchema,
  type Tool,
  type ToolArguments,
  ToolError,
} from './tool.ts';
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
  streams: Streams,
  tools: readonly Tool[] = listedTools(session.allowsWrites),
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const calls = new Set<Promise<unknown>>();
  const conversations = new Conversations();
  const handle = serveStdio(
    () => createServer(tools, { ...session, signal }, conversations, calls),
    { transport: transportOn(streams, () => stop.abort()), onerror: streams.onProblem },
  );
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
  conversations.close();
  await handle.close();
  await Promise.allSettled(calls);
}

function transportOn({ input, output }: Streams, onEnd: () => void): StdioServerTransport {
  const transport = new StdioServerTransport(input, output);
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    onEnd();
  };
  return transport;
}

function createServer(
  tools: readonly Tool[],
  session: McpSession,
  conversations: Conversations,
  calls: Set<Promise<unknown>>,
): Server {
  const { version } = session;
  const server = new Server(
    { name: 'clickbank-cli', title: 'ClickBank', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(descriptionOf) }));
  const caller = callerOf(tools, session, conversations, calls);
  server.setRequestHandler('tools/call', ({ params }, ctx) =>
    caller(server, params.name, params.arguments ?? {}, ctx),
  );
  serveTexts(server, session);
  return server;
}

function serveTexts(server: Server, session: McpSession): void {
  server.setRequestHandler('resources/list', () => ({ resources: listedResources() }));
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

/** As `tools/list` shows a tool. */
export function descriptionOf(tool: Tool) {
  const { name, title, description, input, output } = tool;
  return {
    name,
    title,
    description,
    inputSchema: input as { type: 'object' },
    outputSchema: output as { type: 'object' },
    annotations: annotationsOf(tool),
  };
}

/** `calls` has the calls that run or wait for an answer. */
function callerOf(
  tools: readonly Tool[],
  session: McpSession,
  conversations: Conversations,
  calls: Set<Promise<unknown>>,
) {
  const validators = new Map<string, ReturnType<typeof validatorsOf>>();
  return async (server: Server, name: string, given: ToolArguments, ctx: ServerContext) => {
    const tool = tools.find((one) => one.name === name);
    const args = tool ? asDeclared(tool, given) : given;
    const by = programOf(server, ctx);
    const refuse = async (message: string) => {
      await session.log.add({ tool: name, by, arguments: args, outcome: 'refused', message });
      return errorContent(message);
    };
    if (!tool) return refuse(`There is no tool '${name}'.`);
    const checks = validators.get(name) ?? validatorsOf(tool);
    validators.set(name, checks);
    const { valid, errorMessage } = checks.input(args);
    if (!valid) {
      return refuse(`${invalidArguments(tool.input, args, errorMessage)} Nothing was sent.`);
    }
    const checked = async (content: Promise<Content>) => checkedContent(await content, checks);
    try {
      return await conversations.run({ tool: name, args }, server, ctx, (ask, own) => {
        const signal = AbortSignal.any([own, session.signal]);
        const call = checked(runTool(tool, args, session, { signal, ask, by }));
        calls.add(call);
        return call.finally(() => calls.delete(call));
      });
    } catch (error) {
      if (error instanceof ToolError) return refuse(error.message);
      throw error;
    }
  };
}

/** Models write an ID such as 1001 as a number, and one value of a list by itself. */
function asDeclared({ input }: Tool, given: ToolArguments): ToolArguments {
  const entries = Object.entries(given).map(([name, value]) => {
    const type = input.properties[name]?.type;
    // Only whole numbers keep their digits.
    if (type === 'string' && Number.isSafeInteger(value)) return [name, String(value)] as const;
    const isOne = type === 'array' && typeof value === 'string';
    return [name, isOne ? value.split(',').map((one) => one.trim()) : value] as const;
  });
  return Object.fromEntries(entries);
}

function validatorsOf({ input, output }: Tool) {
  const provider = new AjvJsonSchemaValidator();
  return {
    input: provider.getValidator<ToolArguments>(input as object),
    output: provider.getValidator<unknown>(output as object),
  };
}

/** A result that breaks its schema is an error of this program. */
function checkedContent(content: Content, { output }: ReturnType<typeof validatorsOf>): Content {
  if (!('structuredContent' in content) || content.isError) return content;
  const { valid, errorMessage } = output(content.structuredContent);
  return valid
    ? content
    : errorContent(`Internal error: the result is not valid: ${errorMessage}.`);
}

/** As in `claude-code 2.1`; undefined if the client does not say. */
function programOf(server: Server, ctx: ServerContext): string | undefined {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const named = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  if (!named) return undefined;
  const { name, version } = named as { name: string; version: string };
  return `${name} ${version}`;
}

/** `otherwise` is the message of the validator, for what has no sentence here. */
function invalidArguments(
  { properties, required = [] }: ObjectSchema,
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
