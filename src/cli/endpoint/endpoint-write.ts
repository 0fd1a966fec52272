/** Running an operation that changes something: shown, confirmed, sent once. */
import { text } from 'node:stream/consumers';
import type { Client } from '../../client/client.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import type { Value } from '../../output/rows/rows.ts';
import type { WritePlan } from '../../workflows/safe-write/confirmation.ts';
import type { WriteOptions } from '../../workflows/safe-write/safe-write.ts';
import type { Warning } from '../../workflows/safe-write/warnings.ts';
import { printable } from '../display/printable.ts';
import { onePage, showIfRead, showPages, showText, showValue } from '../display/show.ts';
import { isArgument, type Typed } from '../flags/flags.ts';
import { isAsReceived, type OutputOptions, wireFor } from '../flags/show-flags.ts';
import {
  verifiedNote,
  type WriteFlags,
  type Writing,
  writeOptions,
} from '../flags/write-options.ts';
import { confirm, requireSomebodyToAsk } from '../prompts/ask.ts';
import { saySentence } from '../prompts/say-sentence.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure, failureFrom, usage } from '../runtime/failure.ts';
import { type Session, serviceName, withApi } from '../session/session.ts';
import { argumentsFrom, type EndpointOptions } from './arguments.ts';
import { shapeOf } from './endpoint-read.ts';
import { remember } from './remember.ts';

export async function writeEndpoint(
  cmd: CommandContext,
  operation: Operation,
  typed: Typed,
  output: OutputOptions,
  options: EndpointOptions,
): Promise<void> {
  const each: Arguments[] = [];
  for (const one of await eachOf(cmd, typed, options.many)) {
    const { args, notes } = await argumentsFrom(cmd, operation, one);
    if (each.length === 0) for (const note of notes) cmd.messages.say(`note: ${note}`);
    each.push(args);
  }
  const flags = typed as WriteFlags;
  const writing: Writing = { cmd, operation, each, output, flags };
  if (flags.dryRun) {
    const { dryRun } = await import('./dry-run.ts');
    return dryRun(writing);
  }
  if (output.format === 'xml' && each.length > 1) {
    throw usage('Several answers are not one XML document.', { hint: 'Use --raw or -o json.' });
  }
  if (!flags.yes) requireSomebodyToAsk(cmd);
  const safely = await writeOptions(cmd, flags);
  await withApi(cmd, wireFor(output), async (api, session) => {
    if (flags.yes) await warnUnattended(writing, api);
    else await confirmEach(writing, api, session, options);
    await (each.length === 1 ? writeOne : writeMany)(writing, api, safely);
  });
}

/** Without a person to confirm, money is only refunded where a flag says that it may be. */
async function warnUnattended(
  { cmd, operation, each, flags }: Writing,
  api: Client,
): Promise<void> {
  const [{ warningsFor }, { missingFlag, refusedBy }] = await Promise.all([
    import('../../workflows/safe-write/confirmation.ts'),
    import('./write-gates.ts'),
  ]);
  const warnings: Warning[] = [];
  for (const args of each) warnings.push(...(await warningsFor(api, operation, args)));
  const refused = each.length === 1 ? refusedBy(warnings) : undefined;
  const failure = refused ?? missingFlag(warnings, flags);
  if (failure) throw failure;
  for (const { kind, message } of warnings) {
    // Of several writes, a refused one is told when it fails.
    if (kind !== 'refused') saySentence(cmd, `warning: ${message}.`);
  }
}

/** Asks one question, which tells what happens to which order, and all that there is to warn about. */
async function confirmEach(
  { cmd, operation, each, flags }: Writing,
  api: Client,
  session: Session,
  { preview }: EndpointOptions,
): Promise<void> {
  const [{ planWrite, questionOf, statementOf }, { alreadyThere, refusedBy }, { existingMatch }] =
    await Promise.all([
      import('../../workflows/safe-write/confirmation.ts'),
      import('./write-gates.ts'),
      import('./dry-run.ts'),
    ]);
  const plans: WritePlan[] = [];
  for (const args of each) {
    const plan = await planWrite(api, operation, args);
    if (each.length === 1) {
      const match = await existingMatch(api, operation, args);
      const failure = refusedBy(plan.warnings) ?? alreadyThere(match, flags);
      if (failure) throw failure;
    }
    await preview?.(cmd, api, args);
    plans.push(plan);
  }
  cmd.messages.say(`Using ${serviceName(session)}.`);
  const [only] = plans;
  if (plans.length === 1 && only) return confirm(cmd, questionOf(only));
  for (const plan of plans) saySentence(cmd, `- ${statementOf(plan)}`);
  return confirm(cmd, `Send these ${plans.length} requests?`);
}

/** What was typed for each of several ids; `-` stands for the words on stdin. */
async function eachOf(
  cmd: CommandContext,
  typed: Typed,
  many: string | undefined,
): Promise<Typed[]> {
  const given = many === undefined ? undefined : typed[many];
  if (many === undefined || !Array.isArray(given)) return [typed];
  const ids: string[] = [];
  for (const one of given) {
    if (one === '-') ids.push(...(await text(cmd.context.stdin)).split(/[\s,]+/).filter(Boolean));
    else ids.push(one);
  }
  if (ids.length === 0) throw usage(`there is no <${many}> on stdin`);
  return [...new Set(ids)].map((id) => ({ ...typed, [many]: id }));
}

async function writeOne(
  { cmd, operation, each, output }: Writing,
  api: Client,
  writing: WriteOptions,
): Promise<void> {
  const { writeOnce } = await import('../../workflows/safe-write/safe-write.ts');
  const [args] = each;
  if (!args) return;
  const { reply, body, how } = await writeOnce(api, operation, args, writing);
  if (how === 'verified') cmd.messages.say(verifiedNote);
  if (reply === undefined) await tellDone(cmd, output, operation, args);
  else if (isAsReceived(output) && body !== undefined) await showText(cmd, output, body);
  else await showValue(cmd, output, printable(operation, reply as Value), shapeOf(operation));
  await remember(cmd, operation, args, []);
}

/** Each is sent once, one after the other; one that fails is named, and the others go on. */
async function writeMany(
  { cmd, operation, each, output }: Writing,
  api: Client,
  writing: WriteOptions,
): Promise<void> {
  const { writeOnce } = await import('../../workflows/safe-write/safe-write.ts');
  const replies: unknown[] = [];
  const bodies: string[] = [];
  const failures: Failure[] = [];
  let left = each.length;
  for (const args of each) {
    left -= 1;
    try {
      const { reply, body } = await writeOnce(api, operation, args, writing);
      if (body !== undefined) bodies.push(body);
      if (reply !== undefined) replies.push(printable(operation, reply as Value));
      else cmd.messages.tell(`done: ${lineOf(operation, args)}`);
    } catch (error) {
      const failure = failureFrom(error);
      failures.push(failure);
      cmd.messages.say(`cb: ${lineOf(operation, args)}: ${failure.message}`);
      if (isForAll(failure)) break;
    }
  }
  const { resource } = shapeOf(operation);
  const done = each.length - failures.length - left;
  if (resource && done > 0) {
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
    ...(unknown > 0 ? [`${unknown} unknown: look before you repeat them`] : []),
    ...(left > 0 ? [`${left} not tried`] : []),
  ];
  throw new Failure(done > 0 || unknown > 0 ? exitCodes.incomplete : first.code, parts.join(', '));
}

/** What would meet the next one too: no use in going on. */
function isForAll({ code }: Failure): boolean {
  const ends: readonly number[] = [
    exitCodes.key,
    exitCodes.network,
    exitCodes.rateLimit,
    exitCodes.interrupted,
  ];
  return ends.includes(code);
}

async function tellDone(
  cmd: CommandContext,
  output: OutputOptions,
  operation: Operation,
  args: Arguments,
): Promise<void> {
  const [{ requestFor }, { inWords, isStructured }] = await Promise.all([
    import('../../client/http/request.ts'),
    import('./dry-run.ts'),
  ]);
  if (isStructured(output)) {
    await showValue(cmd, output, { done: true, ...inWords(requestFor(operation, args)) });
  } else cmd.messages.tell(`done: ${lineOf(operation, args)}`);
}

/** What a write does, on one line: the command, and each value by name. */
function lineOf(operation: Operation, args: Arguments): string {
  const words = Object.entries(args).map(([name, value]) =>
    isArgument(operation, name) ? value : `${name}=${value}`,
  );
  return [operation.command, ...words].join(' ');
}
