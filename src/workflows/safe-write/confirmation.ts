/** What a write is about to do, in sentences that a person can say yes to, read before it is sent. */
import type { Client } from '../../client/client.ts';
import { type Request, requestFor } from '../../client/http/request.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { openReader } from './reads.ts';
import { rulesOf } from './rules.ts';
import type { Warning } from './warnings.ts';

export interface WritePlan {
  readonly request: Request;
  /** What happens, in the imperative and without a final mark: "Refund 29.00 USD to Ada Sample …". */
  readonly action: string;
  /** Whole sentences to add, such as "This can't be undone.". */
  readonly details: readonly string[];
  readonly warnings: readonly Warning[];
  /** What the sentences are about, so that a user interface can say what to do about it. */
  readonly codes: readonly (Warning['kind'] | 'return')[];
}

/**
 * Everything to warn about before this write is sent. Reads from the service; sends no write. A refusal
 * (4xx) is a warning too; an ApiError is thrown for every other failure of a read.
 */
export async function warningsFor(
  api: Client,
  operation: Operation,
  args: Arguments,
  reader = openReader(api),
): Promise<readonly Warning[]> {
  return (await rulesOf(operation)?.warn?.(reader, args)) ?? [];
}

/** Reads what the write is about and describes it. Throws an ApiError where a read fails (not for a 4xx). */
export async function planWrite(
  api: Client,
  operation: Operation,
  args: Arguments,
): Promise<WritePlan> {
  const reader = openReader(api);
  const request = requestFor(operation, args);
  const given = await warningsFor(api, operation, args, reader);
  const sentence = await rulesOf(operation)?.describe(reader, args);
  // What the warnings could not look at is not told twice.
  const hasGap = given.some(({ kind }) => kind === 'refused' || kind === 'not-checked');
  const warnings = hasGap ? given : [...given, ...(sentence?.gaps ?? [])];
  const codes = [
    ...warnings.map(({ kind }) => kind),
    ...(sentence?.needsReturn ? (['return'] as const) : []),
  ];
  const { action = `Send ${requestWords(request)}`, details = [] } = sentence ?? {};
  return { request, action, details, warnings, codes };
}

/** The question that a person answers before the write is sent: it holds the warnings too. */
export function questionOf(plan: WritePlan): string {
  return sentencesOf(plan, '?');
}

export function statementOf(plan: WritePlan): string {
  return sentencesOf(plan, '.');
}

function sentencesOf({ action, details, warnings }: WritePlan, mark: '?' | '.'): string {
  return [`${action}${mark}`, ...warnings.map(({ message }) => `${message}.`), ...details].join(
    ' ',
  );
}

/** The question about a request that cb knows nothing about. */
export function requestQuestion(request: Request, baseUrl: string): string {
  return `Send ${requestWords(request)} to ${baseUrl}? cb does not check what this request does.`;
}

function requestWords({ method, path, query }: Request): string {
  const search = query.map(([name, value]) => `${name}=${value}`).join('&');
  return `${method} ${path}${search && `?${search}`}`;
}
