/** What a tool of the agent server is: a plain value that is listed, validated, called and logged in one place. */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { Client } from '../../client/client.ts';
import type { Day } from '../../dates/day.ts';
import type { SqlReader } from '../sync/destination.ts';
import type { Queries } from '../sync/query/statement.ts';
import type { Approvals } from './approvals/approve.ts';
import type { Refund } from './approvals/facts.ts';
import type { openCallLog } from './call-log.ts';

/** The keywords of a JSON schema that are read here, and any others. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly [keyword: string]: unknown;
}

export interface ObjectSchema extends Schema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** What it is for, for a model that chooses among the tools. */
  readonly description: string;
  /** It can send a request that changes something. Such tools are listed only if the session allows writes. */
  readonly writes?: true;
  /** It answers from the copy on this machine and sends no request. */
  readonly isLocal?: boolean;
  /** The fields of the output that customers or affiliates wrote; they are marked as data of others. */
  readonly writtenByOthers?: readonly string[];
  readonly input: ObjectSchema;
  /** A result always matches it. */
  readonly output: ObjectSchema;
  /** `args` matches `input`. Throws a ToolError, or any error of the client and of other features. */
  run(args: ToolArguments, call: ToolCall): Promise<ToolResult | Asking>;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

export interface ToolResult {
  /** One or two sentences, without what others wrote. */
  readonly summary: string;
  /** The structured content. Amounts are decimal strings. */
  readonly data: Readonly<Record<string, unknown>>;
  /** `data` as lines of text, for clients that show only text: first what others did not write. */
  readonly ownLines?: readonly string[];
  /** Default: the rows in `data`. Without any, nothing in this result was written by others. */
  readonly lines?: readonly string[];
  /** The call was refused or not carried out, and `summary` says why. */
  readonly isError?: boolean;
}

/** What all calls of a session share. */
export interface McpSession {
  readonly client: Client;
  readonly limits: SessionLimits;
  readonly log: ReturnType<typeof openCallLog>;
  /** What plans need besides the client and the day of a call. */
  readonly approvals: Omit<Approvals, 'client' | 'today'>;
  readonly allowsWrites: boolean;
  readonly version: string;
  /** Aborted when the session ends. */
  readonly signal: AbortSignal;
  /** The time at the service; the clock of a sandbox may have been advanced. */
  now(): Promise<Date>;
  /** Opens the copy for `work` in a process of its own, within limits of time and memory. One call at a time. */
  readonly copy: CopyAccess;
  redact(text: string): string;
  /** The message for anything that was thrown, and what to do about it. */
  explain(error: unknown): { readonly message: string; readonly hint?: string | undefined };
}

/** Runs statements of the agent or of cb. Long texts may be cut after `longest` characters. */
export type CopyAccess = <T>(
  signal: AbortSignal,
  work: (copy: Queries & SqlReader) => Promise<T>,
  longest?: number,
) => Promise<T>;

export interface ToolCall extends Omit<McpSession, 'now'> {
  readonly now: Date;
  /** Its requests are aborted with the call. */
  readonly client: Client;
  /** Aborted when the client cancels the call or the session ends. */
  readonly signal: AbortSignal;
  /** The Pacific day at the service. */
  readonly today: Day;
  /** Adds facts to the log entry of the call, such as the ID of a plan. */
  note(facts: Readonly<Record<string, string | number | boolean>>): void;
  /** The name and version of the program that called. */
  readonly by: string | undefined;
  /** The client can ask the person who uses it. */
  readonly canAsk: boolean;
}

/** A call that continues with the answer of the person; `client` then sends its requests. */
export interface Asking {
  readonly question: ElicitRequestFormParams;
  answered(answer: Answer, client: Client): Promise<ToolResult>;
}

/** `cancel` also if the person did not answer in time, or the client answered with anything unexpected. */
export type Answer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

/** A call that can't be carried out, in words for the model that called. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

export interface Limits {
  /** Requests to the service, retries included. */
  readonly requests: number;
  /** Refunds in a session; undefined for any number. */
  readonly refunds?: number | undefined;
  /** Decimal digits by currency. With any entry, refunds in other currencies and of unknown amounts are refused. */
  readonly refundTotals: Readonly<Record<string, string>>;
}

export class SessionLimits {
  readonly limits: Limits;
  requests = 0;
  /** The refunds that the session has planned, by the IDs of their plans. */
  readonly refunds = new Map<string, Refund>();

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Counts a request before it is sent. Throws a ToolError at the limit. */
  countRequest(): void {
    if (this.requests >= this.limits.requests) {
      throw new ToolError(
        `This session has sent ${this.limits.requests} requests, which is its limit.`,
        'Ask the person to restart the server with a higher --max-requests.',
      );
    }
    this.requests += 1;
  }
}
