/** A dry run: reads what the real command would read, shows what it would send, and sends no write. */
import type { Client } from '../../client/client.ts';
import { type Request, requestFor } from '../../client/http/request.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import type { Value } from '../../output/rows/rows.ts';
import { planWrite } from '../../workflows/safe-write/confirmation.ts';
import type { Warning } from '../../workflows/safe-write/warnings.ts';
import { showIfRead, showText, showValue } from '../display/show.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { Writing } from '../flags/write-options.ts';
import { saySentence } from '../prompts/say-sentence.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure, failureFrom } from '../runtime/failure.ts';
import { hintsOn } from '../runtime/workflow-hints.ts';
import { withApi } from '../session/session.ts';
import { alreadyThere, missingFlag, refusedBy } from './write-gates.ts';

interface Report {
  readonly request: Request;
  /** What the write does, in sentences; absent where that could not be read. */
  readonly action?: string;
  readonly warnings: readonly Warning[];
  /** Equal tickets or ship notices that exist, each in a sentence without its final period. */
  readonly existing: readonly string[];
}

/**
 * Throws the Failure that the real command would end with before it sends anything. Opens the service unless a
 * client is open already.
 */
export async function dryRun(writing: Writing, open?: Client): Promise<void> {
  const { cmd, operation, each, output } = writing;
  const reports: Report[] = [];
  const reportAll = async (api: Client) => {
    for (const args of each) reports.push(await reportOn(api, operation, args));
  };
  let stopped: Failure | undefined;
  try {
    await (open ? reportAll(open) : withApi(cmd, {}, reportAll));
  } catch (error) {
    stopped = failureFrom(error);
    const message = `Not checked: ${stopped.message}`;
    const warnings: Warning[] = [{ kind: 'not-checked', message }];
    for (const args of each.slice(reports.length)) {
      reports.push({ request: requestFor(operation, args), warnings, existing: [] });
    }
  }
  await showIfRead(showReports(cmd, output, reports));
  const failure = stopped ?? verdictOn(writing, reports);
  if (failure) throw failure;
}

async function reportOn(api: Client, operation: Operation, args: Arguments): Promise<Report> {
  const { request, action, details, warnings, codes } = await planWrite(api, operation, args);
  const match = await existingMatch(api, operation, args);
  return {
    request,
    action: [`${action}.`, ...details, ...hintsOn(codes)].join(' '),
    warnings,
    existing: match === undefined ? [] : [match],
  };
}

/** The equal ticket or ship notice that the real command would find, in words. */
export async function existingMatch(
  api: Client,
  operation: Operation,
  args: Arguments,
): Promise<string | undefined> {
  const { verifierOf } = await import('../../workflows/safe-write/rules.ts');
  return (await verifierOf(operation)?.look(api, args))?.existingMatch;
}

/** Of several writes the refused ones fail alone, as in the real command. */
function verdictOn({ cmd, flags }: Writing, reports: readonly Report[]): Failure | undefined {
  const isConfirmed = cmd.mayAsk && flags.yes !== true;
  const warnings = reports.flatMap((report) => report.warnings);
  const [only] = reports;
  if (reports.length === 1 && only) {
    const failure = refusedBy(warnings) ?? (isConfirmed ? undefined : missingFlag(warnings, flags));
    return failure ?? alreadyThere(only.existing[0], flags);
  }
  const refused = reports.filter((report) => refusedBy(report.warnings));
  if (refused.length > 0) {
    const code = refused.length === reports.length ? exitCodes.refused : exitCodes.incomplete;
    return new Failure(code, `${refused.length} of ${reports.length} requests would be refused.`, {
      hint: 'Nothing was sent.',
    });
  }
  return isConfirmed ? undefined : missingFlag(warnings, flags);
}

async function showReports(
  cmd: CommandContext,
  output: OutputOptions,
  reports: readonly Report[],
): Promise<void> {
  if (isStructured(output)) {
    const values = reports.map((report) => ({ ...report, request: inWords(report.request) }));
    await showValue(cmd, output, (values.length === 1 ? values[0] : values) as Value);
    return;
  }
  for (const { action, warnings, existing } of reports) {
    if (action !== undefined) saySentence(cmd, `Dry run, nothing is sent: ${action}`);
    for (const { message } of warnings) saySentence(cmd, `warning: ${message}.`);
    for (const match of existing) saySentence(cmd, `warning: ${match}.`);
  }
  await showText(cmd, output, reports.map(({ request }) => requestText(request)).join('\n'));
}

/** Method, path and each parameter on a line of its own. */
export function requestText({ method, path, query }: Request): string {
  return [`${method} ${path}`, ...query.map(([name, value]) => `  ${name}=${value}`)].join('\n');
}

export function isStructured({ format }: OutputOptions): boolean {
  return format === 'json' || format === 'ndjson';
}

/** A parameter that is sent several times is a list. */
export function inWords({ method, path, query }: Request) {
  const byName: Record<string, string | string[]> = {};
  for (const [name, value] of query) {
    const before = byName[name];
    byName[name] = before === undefined ? value : [before, value].flat();
  }
  return { method, path, query: byName };
}
