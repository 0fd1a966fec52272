/** Plans a write in sentences that a person confirms before it is sent. */
import type { Client } from '../client/client.ts';
import { liveBaseUrl } from '../client/http/origin.ts';
import { type Request, requestFor, urlOf } from '../client/http/request.ts';
import type { Arguments, Operation } from '../operations/operation.ts';
import type { WritePlan } from './plan.ts';
import { openReader } from './reads.ts';
import { rulesOf } from './rules.ts';
import type { Undo } from './sentence.ts';
import type { Warning } from './warnings.ts';

export interface PlannedWrite extends WritePlan {
  readonly request: Request;
  /** The write that takes it back; absent if there is none, or none that restores everything. */
  readonly undo?: Undo | undefined;
  readonly warnings: readonly Warning[];
  /** Codes for which a user interface can show a hint. */
  readonly codes: readonly (Warning['kind'] | 'return')[];
}

/**
 * Reads the subject of the write and describes it. A refusal (4xx) of a read is a warning; throws an ApiError for any
 * other failure of it, and for a request that is longer than ClickBank accepts.
 */
export async function planWrite(
  client: Client,
  operation: Operation,
  args: Arguments,
  reader = openReader(client),
): Promise<PlannedWrite> {
  const request = requestFor(operation, args);
  // Nobody is asked about a request that is too long to be sent.
  urlOf(liveBaseUrl, request);
  const rules = rulesOf(operation);
  const given = (await rules?.warn?.(reader, args)) ?? [];
  const sentence = await rules?.describe(reader, args);
  // Do not repeat what the warnings already report as unreadable.
  const hasGap = given.some(({ kind }) => kind === 'refused' || kind === 'not-checked');
  const warnings = hasGap ? given : [...given, ...(sentence?.gaps ?? [])];
  const codes = [
    ...warnings.map(({ kind }) => kind),
    ...(sentence?.needsReturn ? (['return'] as const) : []),
  ];
  const { action = `Send ${requestWords(request)}`, details = [], undo } = sentence ?? {};
  const effects = sentence?.effects ?? details;
  return { request, action, details, effects, undo, warnings, codes };
}

/** What a write does as a statement, or as the question before it, with its warnings. */
export function sentencesOf({ action, details, warnings }: WritePlan, mark: '?' | '.'): string {
  return [`${action}${mark}`, ...warnings.map(({ message }) => `${message}.`), ...details].join(
    ' ',
  );
}

/** What a write did and what follows, with the ticket that the reply names; without how to undo it. */
export function outcomeOf({ action, effects }: WritePlan, reply?: unknown): string {
  const [verb = '', ...rest] = action.split(' ');
  const past = verb.endsWith('e') ? `${verb}d` : `${verb}ed`;
  const words = [verb === 'Refund' ? 'Requested a refund of' : past, ...rest].join(' ');
  const done = words.replace(' and complete ', ' and completed ');
  const id = (reply as { readonly ticketid?: unknown } | undefined)?.ticketid;
  const isNamed = id === undefined || done.includes(`ticket ${id}`);
  return [`${done}${isNamed ? '' : `, ticket ${id}`}.`, ...effects].join(' ');
}

/** The confirmation question for an arbitrary request. */
export function requestQuestion(request: Request, baseUrl: string): string {
  return `Send ${requestWords(request)} to ${baseUrl}? cb does not check the effects of this request.`;
}

function requestWords({ method, path, query }: Request): string {
  const search = query.map(([name, value]) => `${name}=${value}`).join('&');
  return `${method} ${path}${search && `?${search}`}`;
}
