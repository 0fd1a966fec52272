/**
 * Asks the person who uses the client, in both revisions of the protocol. Until 2025, the server sends a request and awaits
 * its answer. Since 2026, a call ends with a question, and the client repeats the call with the answer: the first
 * call is kept here in the meantime and goes on.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Content } from './running.ts';
import { type Answer, type Ask, type Question, type ToolArguments, ToolError } from './tool.ts';

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
  /** Goes on in another request of the client. */
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

export class Conversations {
  readonly #waiting = new Map<string, Waiting>();
  #isClosed = false;

  /** Runs a call that may ask, or goes on with one that has asked. */
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
