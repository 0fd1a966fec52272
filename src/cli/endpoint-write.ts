/** Running an operation that changes something: shown, confirmed, sent once. */
import { text } from 'node:stream/consumers';
import type { Api } from '../api/client.ts';
import type { Request } from '../api/request.ts';
import type { Arguments, Operation } from '../operations/operation.ts';
import type { Value } from '../output/rows.ts';
import type { SafeWriteOptions } from '../workflows/safe-write/safe-write.ts';
import { confirm, requireSomebodyToAsk } from './ask.ts';
import { argumentsFrom, type EndpointOptions, shapeOf } from './endpoint-read.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure, failureFrom, usage } from './failure.ts';
import { isArgument, type Typed } from './flags.ts';
import { remember } from './remember.ts';
import { withApi } from './session.ts';
import type { Shell } from './shell.ts';
import { onePage, showPages, showText, showValue } from './show.ts';
import type { Showing } from './show-flags.ts';
import { verifiedNote, writeOptions } from './write-options.ts';

export async function writeEndpoint(
  shell: Shell,
  operation: Operation,
  typed: Typed,
  showing: Showing,
  options: EndpointOptions,
): Promise<void> {
  const each: Arguments[] = [];
  for (const one of await eachOf(shell, typed, options.many)) {
    each.push((await argumentsFrom(shell, operation, one)).args);
  }
  const { requestFor } = await import('../api/request.ts');
  const requests = each.map((args) => requestFor(operation, args));
  if (typed.dryRun) {
    await showRequests(shell, showing, requests);
    return;
  }
  const yes = typed.yes === true;
  if (!yes) requireSomebodyToAsk(shell);
  const writing = await writeOptions(shell, typed);
  await withApi(shell, {}, async (api, session) => {
    if (!yes) {
      for (const args of each) await options.preview?.(shell, api, args);
    }
    const warnings = await warningsOf(shell, api, operation, each);
    if (!yes) {
      const where = session.profile === undefined ? session.baseUrl : `profile ${session.profile}`;
      const what = each.map((args) => questionOf(shell, operation, args)).join('\n  ');
      await confirm(shell, `${what} (${where})?`);
      if (warnings.length > 0) await confirm(shell, `${warnings.join('; ')}. Do it all the same?`);
    }
    const [only] = each;
    if (each.length === 1 && only) await writeOne(shell, api, operation, only, showing, writing);
    else await writeMany(shell, api, operation, each, showing, writing);
  });
}

/** Warnings are printed before the first question, and for a script before anything is sent. */
async function warningsOf(
  shell: Shell,
  api: Api,
  operation: Operation,
  each: readonly Arguments[],
): Promise<string[]> {
  const { warningsFor } = await import('../workflows/safe-write/warnings.ts');
  const messages: string[] = [];
  for (const args of each) {
    for (const { message } of await warningsFor(api, operation, args)) messages.push(message);
  }
  for (const message of messages) shell.messages.say(`warning: ${message}`);
  return messages;
}

/** More values than this are listed above the question. */
const mostInQuestion = 6;

function questionOf(shell: Shell, operation: Operation, args: Arguments): string {
  const entries = Object.entries(args);
  if (entries.length <= mostInQuestion) return lineOf(operation, args);
  const isName = ([name]: readonly [string, unknown]) => isArgument(operation, name);
  const values = entries.filter((entry) => !isName(entry));
  shell.messages.tell(values.map(([name, value]) => `  ${name}=${value}`).join('\n'));
  return lineOf(operation, Object.fromEntries(entries.filter(isName)));
}

/** What was typed for each of several ids; `-` stands for the words on stdin. */
async function eachOf(shell: Shell, typed: Typed, many: string | undefined): Promise<Typed[]> {
  const given = many === undefined ? undefined : typed[many];
  if (many === undefined || !Array.isArray(given)) return [typed];
  const ids: string[] = [];
  for (const one of given) {
    if (one === '-') ids.push(...(await text(shell.context.stdin)).split(/[\s,]+/).filter(Boolean));
    else ids.push(one);
  }
  if (ids.length === 0) throw usage(`there is no <${many}> on stdin`);
  return [...new Set(ids)].map((id) => ({ ...typed, [many]: id }));
}

async function writeOne(
  shell: Shell,
  api: Api,
  operation: Operation,
  args: Arguments,
  showing: Showing,
  writing: SafeWriteOptions,
): Promise<void> {
  const { safeWrite } = await import('../workflows/safe-write/safe-write.ts');
  const { reply, body, how } = await safeWrite(api, operation, args, writing);
  if (how === 'verified') shell.messages.say(verifiedNote);
  if (reply === undefined) await tellDone(shell, showing, operation, args);
  else if (showing.format === 'raw' && body !== undefined) await showText(shell, showing, body);
  else await showValue(shell, showing, reply as Value, shapeOf(operation));
  await remember(shell, operation, args, []);
}

/** Each is sent once, one after the other; one that fails is named, and the others go on. */
async function writeMany(
  shell: Shell,
  api: Api,
  operation: Operation,
  each: readonly Arguments[],
  showing: Showing,
  writing: SafeWriteOptions,
): Promise<void> {
  const { safeWrite } = await import('../workflows/safe-write/safe-write.ts');
  const replies: unknown[] = [];
  const failures: Failure[] = [];
  let left = each.length;
  for (const args of each) {
    left -= 1;
    try {
      const { reply } = await safeWrite(api, operation, args, writing);
      if (reply !== undefined) replies.push(reply);
      else shell.messages.tell(`done: ${lineOf(operation, args)}`);
    } catch (error) {
      const failure = failureFrom(error);
      failures.push(failure);
      shell.messages.say(`cb: ${lineOf(operation, args)}: ${failure.message}`);
      if (isForAll(failure)) break;
    }
  }
  const { resource } = shapeOf(operation);
  const done = each.length - failures.length - left;
  if (resource && done > 0) await showPages(shell, showing, { resource }, onePage(replies));
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
  shell: Shell,
  showing: Showing,
  operation: Operation,
  args: Arguments,
): Promise<void> {
  const { requestFor } = await import('../api/request.ts');
  if (isStructured(showing)) {
    await showValue(shell, showing, { done: true, ...inWords(requestFor(operation, args)) });
  } else shell.messages.tell(`done: ${lineOf(operation, args)}`);
}

async function showRequests(
  shell: Shell,
  showing: Showing,
  requests: readonly Request[],
): Promise<void> {
  if (isStructured(showing)) {
    const [only] = requests;
    const isOne = requests.length === 1 && only;
    await showValue(shell, showing, isOne ? inWords(only) : requests.map(inWords));
    return;
  }
  const texts = requests.map(({ method, path, query }) =>
    [`${method} ${path}`, ...query.map(([name, value]) => `  ${name}=${value}`)].join('\n'),
  );
  await showText(shell, showing, texts.join('\n'));
}

function isStructured({ format }: Showing): boolean {
  return format === 'json' || format === 'ndjson';
}

/** A parameter that is sent several times is a list. */
function inWords({ method, path, query }: Request) {
  const byName: Record<string, string | string[]> = {};
  for (const [name, value] of query) {
    const before = byName[name];
    byName[name] = before === undefined ? value : [before, value].flat();
  }
  return { method, path, query: byName };
}

/** What a write does, on one line: the command, and each value by name. */
function lineOf(operation: Operation, args: Arguments): string {
  const words = Object.entries(args).map(([name, value]) =>
    isArgument(operation, name) ? value : `${name}=${value}`,
  );
  return [operation.command, ...words].join(' ');
}
