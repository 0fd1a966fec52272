/** An operation of the catalogue as a command: flags in, request out, reply shown. */
import type { Command } from 'commander';
import type { Api } from '../api/client.ts';
import type { Request } from '../api/request.ts';
import type { Arguments, Operation } from '../operations/operation.ts';
import { askForMissing, confirm, requireSomebodyToAsk } from './ask.ts';
import { newCommand } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { usage } from './failure.ts';
import { addParameters, helpGroups, isInPath, readArguments, type Typed } from './flags.ts';
import { withApi } from './session.ts';
import { type Call, type CommonFlags, type Shell, shellFor } from './shell.ts';
import { type Layout, showPages, showText, showValue } from './show.ts';
import {
  addShowFlags,
  readShowFlags,
  type ShowFlags,
  type Showing,
  type Shown,
} from './show-flags.ts';
import { requireShowable } from './showable.ts';

/** What one command adds to what the catalogue says of its operation. */
export interface EndpointOptions {
  /** How a table looks; rows when absent. */
  readonly layout?: Layout;
  /** Shows a person what a write is about to change, before it is confirmed. */
  preview?(shell: Shell, api: Api, args: Arguments): Promise<void>;
}

interface WriteFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

type AllFlags = CommonFlags & ShowFlags & WriteFlags & Typed;

/** Adds the command of an operation to its group. */
export function addEndpoint(
  group: Command,
  call: Call,
  operation: Operation,
  options: EndpointOptions = {},
): void {
  const name = operation.command.split(' ').at(-1) ?? '';
  const command = newCommand(call.context, name).description(operation.summary);
  addParameters(command, operation);
  addShowFlags(command, shownAs(operation));
  if (isWrite(operation)) {
    command
      .optionsGroup(helpGroups.other)
      .option('-y, --yes', 'Do it without asking')
      .option('--dry-run', 'Print what would be sent, and send nothing');
  }
  command.addHelpText('after', () => afterHelp(command, operation));
  command.action(async () => {
    const flags = command.optsWithGlobals<AllFlags>();
    const typed = { ...flags, ...positional(command) };
    await runEndpoint(shellFor(call, flags), operation, typed, options);
  });
  group.addCommand(command);
}

function positional(command: Command): Typed {
  return Object.fromEntries(
    command.registeredArguments.map((argument, i) => [argument.name(), command.processedArgs[i]]),
  );
}

function isWrite({ method }: Operation): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function shownAs({ returns: { kind } }: Operation): Shown {
  if (kind === 'pages') return 'pages';
  return kind === 'list' ? 'rows' : 'value';
}

/** Examples are never broken: they are there to be copied. */
function afterHelp(command: Command, { examples, roles, refusals }: Operation): string {
  const needs = roles.length > 0 ? `The key needs: ${roles.join(', ')}.` : 'No key is needed.';
  const refused = Object.entries(refusals ?? {}).map(
    ([status, meaning]) => `The service answers ${status} when: ${meaning}.`,
  );
  const help = command.createHelp();
  const width = command.configureOutput().getOutHelpWidth?.() ?? 80;
  return [
    '',
    'Examples (add --sandbox to try them without an account):',
    ...examples.map((line) => `  ${line}`),
    '',
    ...[needs, ...refused].map((text) => help.boxWrap(text, width)),
    '',
  ].join('\n');
}

async function runEndpoint(
  shell: Shell,
  operation: Operation,
  typed: AllFlags,
  options: EndpointOptions,
): Promise<void> {
  const showing = readShowFlags(shell, typed);
  const args = await argumentsFrom(shell, operation, typed);
  if (isWrite(operation)) await write(shell, operation, args, typed, showing, options);
  else await read(shell, operation, args, showing, options);
}

/** What was typed, completed by questions, and held against the rules before anything is sent. */
async function argumentsFrom(shell: Shell, operation: Operation, typed: Typed): Promise<Arguments> {
  const today = shell.today();
  const first = readArguments(operation, typed, today);
  if (first.problems.length > 0) throw usage(first.problems.join('; '));
  const asked = await askForMissing(shell, operation, first.missing);
  const { args, problems, notes } = readArguments(operation, { ...typed, ...asked }, today);
  if (problems.length > 0) throw usage(problems.join('; '));
  for (const note of notes) shell.messages.say(`note: ${note}`);
  return args;
}

async function read(
  shell: Shell,
  operation: Operation,
  args: Arguments,
  showing: Showing,
  { layout = 'rows' }: EndpointOptions,
): Promise<void> {
  const { returns } = operation;
  if ('resource' in returns) await requireShowable(showing, returns.resource);
  const wishes = {
    ...(showing.format === 'xml' && { wire: 'xml' as const }),
    ...(showing.concurrency !== undefined && { concurrency: showing.concurrency }),
    asReceived: showing.format === 'raw',
  };
  await withApi(shell, wishes, async (api) => {
    if (returns.kind === 'pages' || returns.kind === 'list') {
      const pages = api.pages(operation, args, {
        ...(showing.page !== undefined && { from: showing.page, expectedRows: 0 }),
        ...(showing.limit !== undefined && { expectedRows: showing.limit }),
      });
      await showPages(shell, showing, returns.resource, layout, pages as AsyncGenerator<never>);
      return;
    }
    const { reply, body } = await api.ask(operation, args);
    const asSent = showing.format === 'raw' || showing.format === 'xml';
    if (returns.kind === 'schema' || (asSent && body !== '')) await showText(shell, showing, body);
    else if (returns.kind === 'answer') await showAnswer(shell, showing, returns, reply === true);
    else await showValue(shell, showing, reply as number | string);
  });
}

/** A yes or no: in words, or as `{"active": true}`; no is an exit code of its own. */
async function showAnswer(
  shell: Shell,
  showing: Showing,
  { yes, no }: { readonly yes: string; readonly no: string },
  isYes: boolean,
): Promise<void> {
  const structured = showing.format === 'json' || showing.format === 'ndjson';
  if (structured) await showValue(shell, showing, { [yes]: isYes });
  else await showText(shell, showing, isYes ? yes : no);
  if (!isYes) shell.endWith(exitCodes.no);
}

async function write(
  shell: Shell,
  operation: Operation,
  args: Arguments,
  { yes = false, dryRun = false }: WriteFlags,
  showing: Showing,
  { preview }: EndpointOptions,
): Promise<void> {
  const { requestFor } = await import('../api/request.ts');
  const request = requestFor(operation, args);
  if (dryRun) {
    await showRequest(shell, showing, request);
    return;
  }
  if (!yes) requireSomebodyToAsk(shell);
  await withApi(shell, {}, async (api, session) => {
    if (preview && !yes && shell.mayAsk) await preview(shell, api, args);
    const where = session.profile === undefined ? session.baseUrl : `profile ${session.profile}`;
    if (!yes) await confirm(shell, `${lineOf(operation, args)} (${where})?`);
    await api.call(operation, args);
    const done = `done: ${lineOf(operation, args)}`;
    if (showing.format === 'json' || showing.format === 'ndjson') {
      await showValue(shell, showing, { done: true, ...inWords(request) });
    } else shell.messages.tell(done);
  });
}

async function showRequest(shell: Shell, showing: Showing, request: Request): Promise<void> {
  if (showing.format === 'json' || showing.format === 'ndjson') {
    await showValue(shell, showing, inWords(request));
    return;
  }
  const lines = request.query.map(([name, value]) => `  ${name}=${value}`);
  await showText(shell, showing, [`${request.method} ${request.path}`, ...lines].join('\n'));
}

function inWords({ method, path, query }: Request) {
  return { method, path, query: Object.fromEntries(query) };
}

/** What a write does, on one line: the command, and each value by name. */
function lineOf(operation: Operation, args: Arguments): string {
  const words = Object.entries(args).map(([name, value]) =>
    isInPath(operation, name) ? value : `${name}=${value}`,
  );
  return [operation.command, ...words].join(' ');
}
