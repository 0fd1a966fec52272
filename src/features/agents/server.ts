/** The agent server over the two streams: lists tools, checks arguments and results, and runs calls. */

import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { listedPrompts, listedResources, promptFrom, readResource } from './resources.ts';
import { type Content, errorContent, instructions, runTool } from './running.ts';
import {
  type Answer,
  type Ask,
  annotationsOf,
  type McpSession,
  type ObjectSchema,
  type Question,
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
  const server = new Server(
    { name: 'clickbank-cli', title: 'ClickBank', version: session.version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(descriptionOf) }));
  const caller = callerOf(tools, session, conversations, calls);
  server.setRequestHandler('tools/call', ({ params }, ctx) =>
    caller(server, params.name, params.arguments ?? {}, ctx),
  );
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

/*
 * Asks the person who uses the client, in both revisions of the protocol. Until 2025, the server sends a request and awaits
 * its answer. Since 2026, a call ends with a question, and the client repeats the call with the answer. The
 * first call waits here until then, and continues.
 */

/** Milliseconds that a person has to answer. */
const patience = 15 * 60_000;

/** Calls that may wait for an answer at the same time. */
const mostWaiting = 20;

interface Request {
  readonly tool: string;
  readonly args: ToolArguments;
}

type End = Content | InputRequiredResult;

interface Waiting extends Request {
  answer(answer: Answer): void;
  /** Continues in another request of the client. */
  resume(ctx: ServerContext): Promise<End>;
}

/** `ask` asks; the signal is aborted when the current request of the client is canceled. */
type Run = (ask: Ask | undefined, signal: AbortSignal) => Promise<Content>;

/** Whether the client of a request can show a form. */
function canAsk(server: Server, ctx: ServerContext): boolean {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const declared = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()) as
    | { readonly elicitation?: { readonly form?: unknown; readonly url?: unknown } }
    | undefined;
  const elicitation = declared?.elicitation;
  // An empty object, as in the first revision, means forms.
  return elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url);
}

class Conversations {
  readonly #waiting = new Map<string, Waiting>();
  #isClosed = false;

  /** Runs a call that may ask, or continues one that has asked. */
  async run(request: Request, server: Server, ctx: ServerContext, run: Run): Promise<End> {
    const { signal, envelope } = ctx.mcpReq;
    const state = ctx.mcpReq.requestState<string>();
    if (state !== undefined) return this.#resume(state, request, ctx);
    if (!canAsk(server, ctx)) return run(undefined, signal);
    // Only a client of the later revision repeats calls.
    if (envelope === undefined) return run((question) => askAtOnce(question, ctx), signal);
    return this.#start(request, ctx, run);
  }

  /** Ends all waiting calls: nobody has answered them. */
  close(): void {
    this.#isClosed = true;
    for (const { answer } of this.#waiting.values()) answer({ action: 'cancel' });
  }

  /** Each request of the client ends with the result, or with a question that the next request answers. */
  #start(request: Request, ctx: ServerContext, run: Run): Promise<End> {
    const stop = new AbortController();
    let end: (how: End | Promise<End>) => void;
    const resume = ({ mcpReq: { signal } }: ServerContext) => {
      signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true });
      return new Promise<End>((resolve) => {
        end = resolve;
      });
    };
    const ended = resume(ctx);
    const ask: Ask = (question) =>
      this.#ask(question, { ...request, resume }, (asked) => end(asked));
    const result = run(ask, stop.signal);
    const finish = () => end(result);
    result.then(finish, finish);
    return ended;
  }

  #ask(
    question: Question,
    call: Omit<Waiting, 'answer'>,
    end: (asked: InputRequiredResult) => void,
  ): Promise<Answer> {
    if (this.#isClosed || this.#waiting.size >= mostWaiting) {
      return Promise.resolve({ action: 'cancel' });
    }
    const state = randomUUID();
    return new Promise((resolve) => {
      const answer = (given: Answer) => {
        clearTimeout(timer);
        this.#waiting.delete(state);
        resolve(given);
      };
      const timer = setTimeout(answer, patience, { action: 'cancel' }).unref();
      this.#waiting.set(state, { ...call, answer });
      const form = inputRequired.elicit(formOf(question));
      end(inputRequired({ inputRequests: { answer: form }, requestState: state }));
    });
  }

  /** An answer counts once, and only for the very call that asked. */
  #resume(state: string, { tool, args }: Request, ctx: ServerContext): Promise<End> {
    const waiting = this.#waiting.get(state);
    if (!waiting) throw new ToolError('This question was answered already, or it has expired.');
    if (waiting.tool !== tool || !isDeepStrictEqual(waiting.args, args)) {
      waiting.answer({ action: 'cancel' });
      throw new ToolError('The call is not the one that asked. Nothing was sent.');
    }
    const ended = waiting.resume(ctx);
    waiting.answer(answerFrom(ctx.mcpReq.inputResponses?.answer));
    return ended;
  }
}

async function askAtOnce(question: Question, { mcpReq }: ServerContext): Promise<Answer> {
  try {
    const options = { timeout: patience, signal: mcpReq.signal };
    return answerFrom(await mcpReq.elicitInput(formOf(question), options));
  } catch {
    // No answer in time, or a client that can't ask after all.
    return { action: 'cancel' };
  }
}

function formOf({ message, fields, required }: Question): ElicitRequestFormParams {
  const properties = { ...fields } as ElicitRequestFormParams['requestedSchema']['properties'];
  const requestedSchema = { type: 'object' as const, properties, required: [...required] };
  return { mode: 'form', message, requestedSchema };
}

/** What a client sends is not trusted: anything but a clear answer is none. */
function answerFrom(given: unknown): Answer {
  const { action, content } = (given ?? {}) as { action?: unknown; content?: unknown };
  if (action === 'decline') return { action };
  if (action !== 'accept') return { action: 'cancel' };
  const isForm = typeof content === 'object' && content !== null && !Array.isArray(content);
  return { action, content: isForm ? (content as Record<string, unknown>) : {} };
}
