/** Dry run: reads what the real command reads, shows the request that it would send, and sends no write. */
import type { Client } from '../../client/client.ts';
import { type Request, requestFor } from '../../client/http/request.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { planWrite } from '../../safe-write/confirmation.ts';
import { verifierOf } from '../../safe-write/rules.ts';
import type { Warning } from '../../safe-write/warnings.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { showIfRead, showText, showValue } from '../../shell/display/show.ts';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.ts';
import { Failure, failureFrom } from '../../shell/failure.ts';
import type { WriteFlags } from '../../shell/options/flags.ts';
import { isStructured, type OutputOptions } from '../../shell/options/show-flags.ts';
import { hintsOn, type Writing } from '../../shell/options/write-options.ts';
import { withApi } from '../../shell/session/session.ts';

interface Report {
  readonly request: Request;
  /** Whole sentences; absent if what the write does could not be read. */
  readonly action?: string;
  readonly warnings: readonly Warning[];
  /** An equal ticket or ship notice: a sentence without its final period. */
  readonly existing?: string | undefined;
}

/** Throws the Failure that the real command would end with before it sends anything. */
export async function dryRun(writing: Writing, open?: Client): Promise<void> {
  const { cmd, operation, each, output } = writing;
  const reports: Report[] = [];
  const reportAll = async (api: Client) => {
    for (const args of each) {
      const { request, action, details, warnings, codes } = await planWrite(api, operation, args);
      const existing = await existingMatch(api, operation, args);
      reports.push({
        ...{ request, warnings, existing },
        action: [`${action}.`, ...details, ...hintsOn(codes)].join(' '),
      });
    }
  };
  let stopped: Failure | undefined;
  try {
    await (open ? reportAll(open) : withApi(cmd, {}, reportAll));
  } catch (error) {
    stopped = failureFrom(error);
    const message = `Not checked: ${stopped.message}`;
    const warnings: Warning[] = [{ kind: 'not-checked', message }];
    for (const args of each.slice(reports.length)) {
      reports.push({ request: requestFor(operation, args), warnings });
    }
  }
  await showIfRead(showReports(cmd, output, reports));
  const failure = stopped ?? failureOf(writing, reports);
  if (failure) throw failure;
}

/** Describes the equal ticket or ship notice that the real command would find. */
export async function existingMatch(
  api: Client,
  operation: Operation,
  args: Arguments,
): Promise<string | undefined> {
  return (await verifierOf(operation)?.look(api, args))?.existingMatch;
}

/** If there are several writes, only the refused ones fail, as in the real command. */
function failureOf({ cmd, flags }: Writing, reports: readonly Report[]): Failure | undefined {
  const isConfirmed = cmd.mayAsk && flags.yes !== true;
  const warnings = reports.flatMap((report) => report.warnings);
  const refused = reports.filter((report) => report.warnings.some(isRefusal)).length;
  if (reports.length === 1 || refused === 0) {
    const existing = reports.length === 1 ? reports[0]?.existing : undefined;
    return whyNotSent(warnings, flags, { isConfirmed, existing });
  }
  const code = refused === reports.length ? exitCodes.refused : exitCodes.incomplete;
  return new Failure(code, `${refused} of ${reports.length} requests would be refused.`, {
    hint: 'Nothing was sent.',
  });
}

/** The service refuses to show the data that the write concerns. */
export function isRefusal({ kind }: Warning): boolean {
  return kind === 'refused';
}

/** Returns why a write is not sent, for the real command and its dry run alike; undefined if nothing prevents it. */
export function whyNotSent(
  warnings: readonly Warning[],
  flags: WriteFlags,
  // `isConfirmed`: a person confirms the write. `existing`: an equal ticket or ship notice, without a final period.
  { isConfirmed = false, existing }: { isConfirmed?: boolean; existing?: string | undefined } = {},
): Failure | undefined {
  const refused = warnings.find(isRefusal);
  if (refused) {
    const others = warnings.filter((warning) => !isRefusal(warning));
    const reasons = others.flatMap(({ kind, message }) => [`${message}.`, ...hintsOn([kind])]);
    const hint = ['Nothing was sent.', ...reasons].join(' ');
    return new Failure(exitCodes.refused, `${refused.message}.`, { hint });
  }
  const stopped = (code: ExitCode, message: string, flag: string, kinds: readonly string[]) => {
    const hints = ['Nothing was sent.', ...hintsOn(kinds), `Pass ${flag} to send it anyway.`];
    return new Failure(code, `${message}.`, { hint: hints.join(' ') });
  };
  const refund = warnings.find(({ requires }) => requires === 'allow-refund');
  if (refund && !isConfirmed && !flags.allowRefund) {
    return stopped(exitCodes.declined, refund.message, '--allow-refund', [refund.kind]);
  }
  if (existing === undefined || flags.allowDuplicate) return undefined;
  return stopped(exitCodes.refused, existing, '--allow-duplicate', []);
}

async function showReports(
  cmd: CommandContext,
  output: OutputOptions,
  reports: readonly Report[],
): Promise<void> {
  if (isStructured(output)) {
    const values = reports.map(({ request, action, warnings, existing }) => ({
      request: inWords(request),
      ...(action !== undefined && { action }),
      warnings: warnings.map((warning) => ({ ...warning })),
      existing: existing === undefined ? [] : [existing],
    }));
    return showValue(cmd, output, values.length === 1 ? values[0] : values);
  }
  for (const { action, warnings, existing } of reports) {
    if (action !== undefined) cmd.messages.say(`Dry run, nothing is sent: ${action}`);
    // The error that follows repeats them.
    const isTold = reports.length === 1 && warnings.some(isRefusal);
    for (const { message } of isTold ? [] : warnings) cmd.messages.say(`warning: ${message}.`);
    if (existing !== undefined) cmd.messages.say(`warning: ${existing}.`);
  }
  await showText(cmd, output, reports.map(({ request }) => requestText(request)).join('\n'));
}

export function requestText({ method, path, query }: Request): string {
  return [`${method} ${path}`, ...query.map(([name, value]) => `  ${name}=${value}`)].join('\n');
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
