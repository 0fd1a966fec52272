/** What the screens and keys of the queue share, and what this session has done so far. */
import type { Client } from '../../../client/client.ts';
import type { Clock } from '../../../client/clock.ts';
import { ApiError } from '../../../client/errors.ts';
import type { Day } from '../../../dates/day.ts';
import { wallTime } from '../../../dates/wall-time.ts';
import type { Entry } from '../../../ledger/entry.ts';
import { saleOf } from '../../../operations/operation.ts';
import type { CommandContext } from '../../../shell/context.ts';
import { failureFrom } from '../../../shell/failure.ts';
import type { Prompts } from '../../../shell/terminal/prompts.ts';
import type { ActionRecord, ActionResult, ActionSender } from './send-action.ts';
import type { OtherRecords, Prefetch, QueuedTicket, TicketDetails } from './ticket-details.ts';

export interface QueueDetails extends TicketDetails {
  readonly others: Promise<OtherRecords>;
}

export interface WorkContext {
  readonly cmd: CommandContext;
  readonly client: Client;
  readonly prompts: Prompts;
  readonly sender: ActionSender;
  /** The service in messages, as in "profile sandbox". */
  readonly service: string;
  readonly isDryRun: boolean;
  readonly queue: readonly QueuedTicket[];
  /** The part of the queue that is shown, in words; undefined for the whole. */
  readonly filter?: string | undefined;
  readonly details: Prefetch<QueueDetails>;
  readonly clock: Clock;
  readonly today: Day;
  readonly zone: string;
  readonly replies: ReadonlyMap<string, string>;
  readonly done: SessionState;
  /** Appends an action that was sent to the file of --log. */
  logAction(result: ActionResult): Promise<void>;
}

export interface SessionState {
  readonly records: ActionRecord[];
  /** Receipts that were refunded or canceled. */
  readonly refunded: Set<string>;
  /** Writes of unknown outcome, by `subjectKey`, with what this session has shown of them. */
  readonly unknown: Map<
    string,
    {
      readonly open: Entry;
      readonly record?: ActionRecord;
      /** A later look did not find it, so it may be sent again. */
      readonly isLookedAt: boolean;
    }
  >;
  /** The reverse of the last close or reopening of a ticket, by its ID. */
  readonly undo: Map<string, 'close' | 'reopen'>;
  /** Requests that were done, as JSON, so that none is sent twice. */
  readonly sent: Set<string>;
  /** Shown above the keys of the next screen. */
  readonly notices: string[];
}

/** What unknown writes are about: all tickets of a receipt. */
export function subjectKey({ ticket }: TicketDetails): string {
  return orderKey(ticket.receipt ?? '', String(ticket.ticketid));
}

/** The same for an order and its rebills. */
export function orderKey(receipt: string, ticketId: string): string {
  return saleOf(receipt) || `ticket ${ticketId}`;
}

export function idOf({ ticket }: TicketDetails): string {
  return String(ticket.ticketid ?? '');
}

export function notify({ done }: WorkContext, text: string): void {
  done.notices.push(text);
}

/** "2026-03-18 11:30" in the zone of --tz, otherwise Pacific time. */
export function timeOf({ zone }: Pick<WorkContext, 'zone'>, time: string | null | undefined) {
  return wallTime(time ?? '', zone)
    .slice(0, 16)
    .replace('T', ' ');
}

/** Columns that a line may take; some terminals wrap a full one. */
export function widthOf({ cmd: { context } }: Pick<WorkContext, 'cmd'>): number {
  // A screen reader needs no layout.
  if (context.isPlain) return Number.MAX_SAFE_INTEGER;
  return Math.max(20, (context.stderr.columns ?? 80) - 1);
}

export function heightOf({ cmd: { context } }: Pick<WorkContext, 'cmd'>): number {
  if (context.isPlain) return Number.MAX_SAFE_INTEGER;
  return Math.max(10, context.stderr.rows ?? 24);
}

/** Whether the person or a signal ends the session; any other error is reported, and the session continues. */
export function endsSession({ cmd }: Pick<WorkContext, 'cmd'>, error: unknown): boolean {
  if (cmd.context.signal.aborted) return true;
  if (error instanceof ApiError) return error.kind === 'cancelled';
  const { name, cause } = error as Error;
  // Without its ledger, nothing more may be sent.
  if ([name, (cause as Error | undefined)?.name].includes('LedgerError')) return true;
  // Errors of requests and of rules have a sentence for people; all others are defects.
  return !['WorkflowError', 'Failure'].includes(name);
}

export function sentenceOf(error: unknown): string {
  const { message, hint } = failureFrom(error);
  return [message, hint].filter(Boolean).join(' ');
}
