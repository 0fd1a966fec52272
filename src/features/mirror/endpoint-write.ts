/**
 * Runs an operation that writes: plans it, warns or asks for confirmation, sends it once and shows the reply. A dry run
 * reads what the real command reads, shows the request that it would send, and sends no write.
 */
import type { Client } from '../../client/client.ts';
import { type Request, requestFor } from '../../client/http/request.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { validate } from '../../operations/validate.ts';
import type { Value } from '../../output/rows/rows.ts';
import { onePage } from '../../output/stream.ts';
import {
  outcomeOf,
  type PlannedWrite,
  planWrite,
  sentencesOf,
} from '../../safe-write/confirmation.ts';
import { existingMatch } from '../../safe-write/rules.ts';
import { type WriteOptions, writeOnce } from '../../safe-write/safe-write.ts';
import type { Warning } from '../../safe-write/warnings.ts';
import { type CommandContext, sayFailure } from '../../shell/context.ts';
import { showIfRead, showPages, showText, showValue } from '../../shell/display/show.ts';
import { printable } from '../../shell/display/texts.ts';
import { type ExitCode, exitCodes, Failure, failureFrom, usage } from '../../shell/failure.ts';
import { isArgument, type Typed, type WriteFlags } from '../../shell/options/flags.ts';
import {
  isAsReceived,
  isStructured,
  type OutputOptions,
  wireFor,
} from '../../shell/options/show-flags.ts';
import { hintsOn, verificationFor, type Writing } from '../../shell/options/write-options.ts';
import { type Session, serviceDayOf, serviceName, withApi } from '../../shell/session/session.ts';
import { recorderFor } from '../../shell/session/write-recorder.ts';
import { commandLine } from '../../shell/shell-word.ts';
import { confirm, requirePrompts } from '../../shell/terminal/ask.ts';
import { argumentsOfEach, type EndpointOptions } from './arguments.ts';
import { shapeOf } from './endpoint-read.ts';

export async function writeEndpoint(
  cmd: CommandContext,
  operation: Operation,
  typed: Typed & WriteFlags,
  output: OutputOptions,
  options: EndpointOptions,
): Promise<void> {
  const { each, notes } = await argumentsOfEach(cmd, operation, typed, options.many);
  for (const note of notes) cmd.messages.say(`note: ${note}`);
  const writing: Writing = { cmd, operation, each, output, flags: typed };
  if (typed.dryRun) return dryRun(writing, options);
  if (output.format === 'xml' && each.length > 1) {
    throw usage('-o xml is one document, so it requires a single ID.', {
      hint: 'Use --raw or -o json.',
    });
  }
  if (!typed.yes) requirePrompts(cmd);
  const verification = verificationFor(cmd, typed.verifyWait);
  await withApi(cmd, wireFor(output), async (api, session) => {
    const plans: PlannedWrite[] = [];
    for (const args of each) plans.push(await planWrite(api, operation, args));
    const [plan] = plans;
    const [only] = each.length === 1 ? each : [];
    // With --yes, the read before the write finds an equal ticket or notice, unless the write is refused.
    const isLookedFor = !typed.yes || plan?.warnings.some(isRefusal);
    const existing = only && isLookedFor ? await existingMatch(api, operation, only) : undefined;
    const failure = failureOf(writing, plans, existing);
    if (failure) throw failure;
    if (!typed.yes) await confirmWrites(writing, plans, api, session, options);
    else {
      for (const { kind, message } of stoppingWarnings(plans)) {
        cmd.messages.say([`warning: ${message}.`, ...hintsOn([kind])].join(' '));
      }
    }
    const record = recorderFor(cmd, session, typed.yes);
    const sending = { ...verification, allowDuplicate: typed.allowDuplicate, record };
    if (only) await writeOne(writing, api, only, sending, plan);
    else await writeMany(writing, api, sending, plans);
  });
}

/** Whether one line says what a write did, instead of the record: a person looks, and did not ask for the record. */
function isTold({ cmd, output, flags }: Pick<Writing, 'cmd' | 'output' | 'flags'>): boolean {
  const { format, out, fields, query } = output;
  const isPlain = format === 'table' && (out ?? fields ?? query) === undefined;
  return isPlain && !!cmd.context.stdout.isTTY && cmd.messages.watched && !flags.verbose;
}

/** If there are several writes, a refused one does not stop the others and is reported when it fails. */
function stoppingWarnings(plans: readonly Pick<PlannedWrite, 'warnings'>[]): readonly Warning[] {
  const warnings = plans.flatMap((plan) => plan.warnings);
  return plans.length === 1 ? warnings : warnings.filter((warning) => !isRefusal(warning));
}

/** Asks one question that contains the plans and their warnings. */
async function confirmWrites(
  { cmd, each }: Writing,
  plans: readonly PlannedWrite[],
  api: Client,
  session: Session,
  { preview }: EndpointOptions,
): Promise<void> {
  const [only, another] = plans;
  for (const args of each) await preview?.(cmd, api, args);
  cmd.messages.say(`Using ${serviceName(session)}.`);
  if (only && !another) {
    await confirm(cmd, [sentencesOf(only, '?'), ...hintsOn(only.codes)].join(' '));
    return;
  }
  for (const plan of plans) {
    cmd.messages.say(['-', sentencesOf(plan, '.'), ...hintsOn(plan.codes)].join(' '));
  }
  await confirm(cmd, `Send these ${plans.length} requests?`);
}

/** Sends a write that was confirmed, shows the reply or what was done, and returns the reply. */
export async function writeOne(
  writing: Omit<Writing, 'each'>,
  api: Client,
  args: Arguments,
  options: WriteOptions,
  plan: PlannedWrite | undefined,
): Promise<Value> {
  const { cmd, operation, output } = writing;
  const result = await writeOnce(api, operation, args, options);
  const { body, how } = result;
  const reply = result.reply as Value;
  if (how === 'verified') {
    cmd.messages.say('note: The response was unclear, but a check found that the write is done.');
  }
  if (plan && isTold(writing)) await tellOutcome(cmd, plan, reply);
  else if (reply === undefined && (isStructured(output) || output.out !== undefined)) {
    await showValue(cmd, output, { done: true, ...inWords(requestFor(operation, args)) });
  } else if (reply === undefined) cmd.messages.tell(`Done: ${lineOf(operation, args)}`);
  else if (isAsReceived(output)) await showText(cmd, output, body ?? '');
  else await showValue(cmd, output, printable(operation, reply), shapeOf(operation));
  return reply;
}

/** One line: what was done, its ticket, what follows, and below it the command that takes it back. */
export async function tellOutcome(
  cmd: CommandContext,
  plan: PlannedWrite,
  reply?: unknown,
): Promise<void> {
  cmd.messages.say(outcomeOf(plan, reply));
  const { undo } = plan;
  if (!undo) return;
  // The write is done, whatever happens now.
  const today = await serviceDayOf(cmd).catch(() => undefined);
  // A payment that was due today can't be moved back to today.
  const findings = today === undefined ? [] : validate(undo.operation, undo.args, today);
  if (findings.some(({ weight }) => weight === 'problem')) return;
  cmd.messages.show(`To undo it: ${commandLine(cmd, undo.operation, undo.args)}`);
}

/** Sends each write once, one after the other; a failure is reported and does not stop the others. */
async function writeMany(
  writing: Writing,
  api: Client,
  options: WriteOptions,
  plans: readonly PlannedWrite[],
): Promise<void> {
  const { cmd, operation, each, output } = writing;
  const replies: unknown[] = [];
  const bodies: string[] = [];
  const failures: Failure[] = [];
  let left = each.length;
  for (const [at, args] of each.entries()) {
    const plan = plans[at];
    left -= 1;
    try {
      const { reply, body } = await writeOnce(api, operation, args, options);
      if (body !== undefined) bodies.push(body);
      if (plan && isTold(writing)) await tellOutcome(cmd, plan, reply);
      else if (reply !== undefined) replies.push(printable(operation, reply as Value));
      else cmd.messages.tell(`Done: ${lineOf(operation, args)}`);
    } catch (error) {
      const failure = failureFrom(error);
      failures.push(failure);
      sayFailure(cmd, lineOf(operation, args), failure);
      if (stoppingCodes.includes(failure.code)) break;
    }
  }
  const { resource } = shapeOf(operation);
  const done = each.length - failures.length - left;
  if (resource && done > 0 && !isTold(writing)) {
    await showIfRead(
      isAsReceived(output)
        ? showText(cmd, output, bodies.join('\n'))
        : showPages(cmd, output, { resource }, onePage(replies)),
    );
  }
  const [first] = failures;
  if (!first) return;
  const unknown = failures.filter(({ code }) => code === exitCodes.incomplete).length;
  const parts = [
    `${done} of ${each.length} done`,
    `${failures.length - unknown} refused or failed`,
    ...(unknown > 0 ? [`${unknown} unknown (check these before you send them again)`] : []),
    ...(left > 0 ? [`${left} not tried`] : []),
  ];
  throw new Failure(
    done > 0 || unknown > 0 ? exitCodes.incomplete : first.code,
    `${parts.join(', ')}.`,
  );
}

/** Exit codes after which the next write would fail the same way. */
export const stoppingCodes: readonly ExitCode[] = [
  ...[exitCodes.key, exitCodes.network, exitCodes.rateLimit, exitCodes.interrupted],
];

function lineOf(operation: Operation, args: Arguments): string {
  const words = Object.entries(args).map(([name, value]) =>
    isArgument(operation, name) ? value : `${name}=${value}`,
  );
  return [operation.command, ...words].join(' ');
}

interface Report extends Pick<PlannedWrite, 'request' | 'warnings'> {
  /** Whole sentences; absent if what the write does could not be read. */
  readonly action?: string;
  /** Equal tickets or ship notices: sentences without their final periods. */
  readonly existing: readonly string[];
}

/** Throws the Failure that the real command would end with before it sends anything. */
export async function dryRun(
  writing: Writing,
  { open, preview }: Pick<EndpointOptions, 'preview'> & { readonly open?: Client },
): Promise<void> {
  const { cmd, operation, each, output } = writing;
  const reports: Report[] = [];
  const reportAll = async (api: Client) => {
    for (const args of each) {
      const { request, action, details, warnings, codes } = await planWrite(api, operation, args);
      const existing = await existingMatch(api, operation, args);
      await preview?.(cmd, api, args);
      reports.push({
        ...{ request, warnings, existing: existing === undefined ? [] : [existing] },
        action: [`${action}.`, ...details, ...hintsOn(codes)].join(' '),
      });
    }
  };
  let stopped: Failure | undefined;
  try {
    await (open ? reportAll(open) : withApi(cmd, {}, reportAll));
  } catch (error) {
    stopped = failureFrom(error);
    const message = `Not checked: ${stopped.message.replace(/\.$/, '')}`;
    const warnings: Warning[] = [{ kind: 'not-checked', message }];
    for (const args of each.slice(reports.length)) {
      reports.push({ request: requestFor(operation, args), warnings, existing: [] });
    }
  }
  const failure = stopped ?? dryFailureOf(writing, reports);
  await showIfRead(showReports(cmd, output, reports, failure));
  if (failure) throw failure;
}

/** `existing` describes an equal ticket or ship notice, for a single write. */
function failureOf(
  { cmd, flags }: Writing,
  plans: readonly Pick<PlannedWrite, 'warnings'>[],
  existing: string | undefined,
): Failure | undefined {
  const isConfirmed = cmd.mayAsk && flags.yes !== true;
  return whyNotSent(stoppingWarnings(plans), flags, { isConfirmed, existing });
}

function dryFailureOf(writing: Writing, reports: readonly Report[]): Failure | undefined {
  // Only a single write can have an existing match.
  const failure = failureOf(writing, reports, reports[0]?.existing[0]);
  const refused = reports.filter((report) => report.warnings.some(isRefusal)).length;
  if (failure || reports.length === 1 || refused === 0) return failure;
  const code = refused === reports.length ? exitCodes.refused : exitCodes.incomplete;
  return new Failure(code, `${refused} of ${reports.length} requests would be refused.`, {
    hint: 'Nothing was sent.',
  });
}

/** ClickBank will refuse the write, or refuses to show what it is about. */
export function isRefusal({ kind }: Warning): boolean {
  return kind === 'refused';
}

/** Returns why a write is not sent, for the real command and its dry run alike; undefined if nothing prevents it. */
export function whyNotSent(
  warnings: readonly Warning[],
  flags: WriteFlags,
  // `isConfirmed`: a person confirms the write. `existing`: an equal ticket or ship notice, without a final period.
  { isConfirmed, existing }: { isConfirmed: boolean; existing: string | undefined },
): Failure | undefined {
  const match = flags.allowDuplicate ? undefined : existing;
  const refused = warnings.find(isRefusal);
  if (refused) {
    const others = warnings.filter((warning) => !isRefusal(warning));
    const reasons = others.flatMap(({ kind, message }) => [`${message}.`, ...hintsOn([kind])]);
    const hint = ['Nothing was sent.', ...reasons].join(' ');
    // An equal ticket explains more than the state that it caused.
    return new Failure(exitCodes.refused, `${match ?? refused.message}.`, { hint });
  }
  const stopped = (code: ExitCode, message: string, flag: string, kinds: readonly string[]) => {
    const hints = ['Nothing was sent.', ...hintsOn(kinds), `Pass ${flag} to send it anyway.`];
    return new Failure(code, `${message}.`, { hint: hints.join(' ') });
  };
  const refund = warnings.find(({ requires }) => requires === 'allow-refund');
  if (refund && !isConfirmed && !flags.allowRefund) {
    return stopped(exitCodes.declined, refund.message, '--allow-refund', [refund.kind]);
  }
  if (match === undefined) return undefined;
  return stopped(exitCodes.refused, match, '--allow-duplicate', []);
}

async function showReports(
  cmd: CommandContext,
  output: OutputOptions,
  reports: readonly Report[],
  failure: Failure | undefined,
): Promise<void> {
  if (isStructured(output)) {
    const values = reports.map(({ request, action, warnings, existing }) => ({
      request: inWords(request),
      ...(action !== undefined && { action }),
      warnings: warnings.map((warning) => ({ ...warning })),
      existing,
    }));
    return showValue(cmd, output, values.length === 1 ? values[0] : values);
  }
  for (const { action, warnings, existing } of reports) {
    if (action !== undefined) cmd.messages.say(`Dry run, nothing is sent: ${action}`);
    // The error that follows repeats them.
    const isTold = reports.length === 1 && warnings.some(isRefusal);
    const shown = [...(isTold ? [] : warnings.map(({ message }) => message)), ...existing];
    for (const message of shown) {
      if (failure?.message !== `${message}.`) cmd.messages.say(`warning: ${message}.`);
    }
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
