/** Running an operation that changes something: shown, confirmed, sent once. */
import { text } from 'node:stream/consumers';
import type { Api } from '../api/client.ts';
import type { Request } from '../api/request.ts';
import type { Arguments, Operation } from '../operations/operation.ts';
import type { Value } from '../output/rows.ts';
import { confirm, requireSomebodyToAsk } from './ask.ts';
import { argumentsFrom, type EndpointOptions, shapeOf } from './endpoint-read.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure, failureFrom, usage } from './failure.ts';
import { isArgument, type Typed } from './flags.ts';
import { withApi } from './session.ts';
import type { Shell } from './shell.ts';
import { onePage, showPages, showText, showValue } from './show.ts';
import type { Showing } from './show-flags.ts';

export async function writeEndpoint(
  shell: Shell,
  operation: Operation,
  typed: Typed,
  showing: Showing,
  options: EndpointOptions,
): Promise<void> {
  const each: Arguments[] = [];
  for (const one of await eachOf(shell, typed, options.many)) {
    each.push(await argumentsFrom(shell, operation, one));
  }
  const { requestFor } = await import('../api/request.ts');
  const requests = each.map((args) => requestFor(operation, args));
  if (typed.dryRun) {
    await showRequests(shell, showing, requests);
    return;
  }
  const yes = typed.yes === true;
  if (!yes) requireSomebodyToAsk(shell);
  await withApi(shell, {}, async (api, session) => {
    if (!yes) {
      for (const args of each) await options.preview?.(shell, api, args);
      const where = session.profile === undefined ? session.baseUrl : `profile ${session.profile}`;
      const what = each.map((args) => lineOf(operation, args)).join('\n  ');
      await confirm(shell, `${what} (${where})?`);
    }
    const [only] = each;
    if (each.length === 1 && only) await writeOne(shell, api, operation, only, showing);
    else await writeMany(shell, api, operation, each, showing);
  });
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
): Promise<void> {
  const { reply, body } = await api.ask(operation, args);
  if (reply === undefined) await tellDone(shell, showing, operation, args);
  else if (showing.format === 'raw') await showText(shell, showing, body);
  else await showValue(shell, showing, reply as Value, shapeOf(operation));
}

/** Each is sent once, one after the other; one that fails is named, and the others go on. */
async function writeMany(
  shell: Shell,
  api: Api,
  operation: Operation,
  each: readonly Arguments[],
  showing: Showing,
): Promise<void> {
  const replies: unknown[] = [];
  let failed = 0;
  for (const args of each) {
    try {
      const reply: unknown = await api.call(operation, args);
      if (reply !== undefined) replies.push(reply);
      else shell.messages.tell(`done: ${lineOf(operation, args)}`);
    } catch (error) {
      const { message, code } = failureFrom(error);
      if (code === exitCodes.interrupted) throw error;
      failed += 1;
      shell.messages.say(`cb: ${lineOf(operation, args)}: ${message}`);
    }
  }
  const { resource } = shapeOf(operation);
  if (resource) await showPages(shell, showing, { resource }, onePage(replies));
  if (failed === 0) return;
  throw new Failure(exitCodes.incomplete, `${failed} of ${each.length} were refused or failed`, {
    hint: 'the others are done',
  });
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
