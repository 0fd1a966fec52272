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
import type { Answer, Ask, Question, ToolArguments } from './tool.ts';
import { ToolError } from './tool-error.ts';

/** Milliseconds that a person has to answer. */
const patience = 15 * 60_000;

/** Calls that may wait for an answer at the same time. */
const mostWaiting = 20;

interface Request {
  readonly tool: string;
  readonly args: ToolArguments;
}

interface Waiting extends Request {
  readonly leg: Leg;
  answer(answer: Answer): void;
}

/** One request of the client: it ends with a result, or with a question that a later request answers. */
interface Leg {
  settled: Promise<Content>;
  onQuestion: (result: InputRequiredResult) => void;
  /** Stops the call if this request is canceled while it runs. */
  follow(signal: AbortSignal): void;
}

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

/** Whether the client repeats a call in order to answer it. */
function repeatsCalls(ctx: ServerContext): boolean {
  return ctx.mcpReq.envelope !== undefined;
}

export class Conversations {
  readonly #waiting = new Map<string, Waiting>();
  #isClosed = false;

  /**
   * Runs a call that may ask, or goes on with one that has asked. `run` gets the function that asks, and a signal that is
   * aborted when the current request of the client is canceled.
   */
  async run(
    request: Request,
    server: Server,
    ctx: ServerContext,
    run: (ask: Ask | undefined, signal: AbortSignal) => Promise<Content>,
  ): Promise<Content | InputRequiredResult> {
    const state = ctx.mcpReq.requestState<string>();
    if (state !== undefined) return this.#resume(state, request, ctx);
    const { signal } = ctx.mcpReq;
    if (!canAsk(server, ctx)) return run(undefined, signal);
    if (!repeatsCalls(ctx)) return run((question) => askAtOnce(question, ctx), signal);
    return this.#start(request, ctx, run);
  }

  /** Ends all waiting calls: nobody has answered them. */
  close(): void {
    this.#isClosed = true;
    for (const { answer } of this.#waiting.values()) answer({ action: 'cancel' });
    this.#waiting.clear();
  }

  #start(
    request: Request,
    ctx: ServerContext,
    run: (ask: Ask | undefined, signal: AbortSignal) => Promise<Content>,
  ): Promise<Content | InputRequiredResult> {
    const stop = new AbortController();
    return new Promise((resolve, reject) => {
      const leg: Leg = {
        settled: Promise.resolve(undefined as never),
        onQuestion: resolve,
        follow: (signal) =>
          signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true }),
      };
      leg.follow(ctx.mcpReq.signal);
      const ask: Ask = (question) => this.#ask(question, request, leg);
      leg.settled = run(ask, stop.signal);
      leg.settled.then(resolve, reject);
    });
  }

  #ask(question: Question, request: Request, leg: Leg): Promise<Answer> {
    const isFull = this.#waiting.size >= mostWaiting;
    if (this.#isClosed || isFull) return Promise.resolve({ action: 'cancel' });
    const state = randomUUID();
    return new Promise((resolve) => {
      const timer = setTimeout(() => answer({ action: 'cancel' }), patience);
      timer.unref();
      const answer = (given: Answer) => {
        clearTimeout(timer);
        this.#waiting.delete(state);
        resolve(given);
      };
      this.#waiting.set(state, { ...request, leg, answer });
      const form = inputRequired.elicit(formOf(question));
      leg.onQuestion(inputRequired({ inputRequests: { answer: form }, requestState: state }));
    });
  }

  /** An answer counts once, and only for the very call that asked. */
  #resume(
    state: string,
    { tool, args }: Request,
    ctx: ServerContext,
  ): Promise<Content | InputRequiredResult> {
    const waiting = this.#waiting.get(state);
    if (!waiting) throw new ToolError('This question was answered already, or it has expired.');
    this.#waiting.delete(state);
    if (waiting.tool !== tool || !isDeepStrictEqual(waiting.args, args)) {
      waiting.answer({ action: 'cancel' });
      throw new ToolError('The call is not the one that asked. Nothing was sent.');
    }
    const { leg } = waiting;
    leg.follow(ctx.mcpReq.signal);
    return new Promise((resolve, reject) => {
      leg.onQuestion = resolve;
      leg.settled.then(resolve, reject);
      waiting.answer(answerFrom(ctx.mcpReq.inputResponses?.answer));
    });
  }
}

async function askAtOnce(question: Question, ctx: ServerContext): Promise<Answer> {
  const { signal } = ctx.mcpReq;
  try {
    const options = { timeout: patience, signal };
    return answerFrom(await ctx.mcpReq.elicitInput(formOf(question), options));
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
