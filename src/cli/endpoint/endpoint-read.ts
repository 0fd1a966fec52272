/** Running an operation that only reads. */
import type { Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import type { Day } from '../../dates/day.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { integer, resource } from '../../operations/resource.ts';
import type { ChartFacts } from '../display/chart.ts';
import { onePage, showPages, showText, showValue } from '../display/show.ts';
import type { Layout, View } from '../display/view.ts';
import { holdsDays, type Typed } from '../flags/flags.ts';
import { isAsReceived, type OutputOptions, wireFor } from '../flags/show-flags.ts';
import { messageOf, readArguments } from '../flags/values.ts';
import {
  type Account,
  accountContexts,
  askEach,
  withAccounts,
  withProfile,
} from '../lists/accounts.ts';
import { readRows } from '../lists/list-read.ts';
import { askForMissing } from '../prompts/ask.ts';
import type { Call, CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { usage } from '../runtime/failure.ts';
import { todayOf } from '../session/service-clock.ts';
import { withApi, withPublicApi } from '../session/session.ts';
import { remember } from './remember.ts';

/** What one command adds to what the catalogue says of its operation. */
export interface EndpointOptions {
  /** How a table looks; rows when absent. */
  readonly layout?: Layout;
  /** How rows look that aren't shown as they come. */
  view?(args: Arguments): View;
  /** The rows can be drawn as a chart. */
  readonly chart?: ChartFacts;
  /** The argument that may be typed several times, or read from stdin with `-`. */
  readonly many?: string;
  /** Flags beside those of the operation. */
  readonly flags?: readonly Option[];
  /** Completes what was typed from elsewhere, such as a file. */
  fill?(cmd: CommandContext, typed: Typed): Promise<Typed>;
  /** Runs in place of the operation, where what was typed asks for it; false where it does not. */
  instead?(cmd: CommandContext, typed: Typed, output: OutputOptions): Promise<boolean>;
  /** Shows a person what a write is about to change, before it is confirmed. */
  preview?(cmd: CommandContext, api: Client, args: Arguments): Promise<void>;
  /** A no can also mean that the service would not say: asks again, and throws where that is so. */
  confirmNo?(api: Client, args: Arguments): Promise<boolean>;
  /** Command lines beside those of the catalogue, which need something that isn't there for all. */
  readonly examples?: readonly string[];
  /** Adds the command that comes next in the help, which is no operation of the catalogue. */
  addNext?(group: Command, call: Call): void;
}

/** What was typed, completed by questions and checked against the rules before anything is sent. */
export async function argumentsFrom(
  cmd: CommandContext,
  operation: Operation,
  typed: Typed,
  day?: Day,
): Promise<{ readonly args: Arguments; readonly notes: readonly string[] }> {
  const source = holdsDays(operation, typed) ? 'local' : 'machine';
  const today = day ?? (await todayOf(cmd, source));
  let given = typed;
  for (;;) {
    const { args, findings } = readArguments(operation, given, today);
    const wordsOf = (some: typeof findings) => some.map((one) => messageOf(operation, one));
    const problems = findings.filter(({ weight }) => weight === 'problem');
    const missing = problems.filter(({ isMissing }) => isMissing);
    // A person is asked for what is missing; a required parameter is named by itself.
    const told = problems.filter(({ code }) => code !== 'missing');
    const isWrong = told.some(({ isMissing }) => !isMissing || !cmd.mayAsk);
    if (isWrong) throw usage(wordsOf(told).join('; '));
    if (missing.length === 0) {
      return { args, notes: wordsOf(findings.filter(({ weight }) => weight === 'note')) };
    }
    const asked = missing.flatMap(({ param = [] }) => param);
    given = { ...given, ...(await askForMissing(cmd, operation, asked, args)) };
  }
}

export async function readEndpoint(
  cmd: CommandContext,
  operation: Operation,
  typed: Typed,
  output: OutputOptions,
  options: EndpointOptions,
): Promise<void> {
  const { returns } = operation;
  const isCsv = cmd.flags.wire === 'csv';
  if (isCsv && !('csv' in returns)) throw usage('--wire csv is for analytics status only');
  const wishes = {
    ...wireFor(output),
    ...(isCsv && { wire: 'csv' as const }),
    ...(output.concurrency !== undefined && { concurrency: output.concurrency }),
    asReceived: output.format === 'raw' || isCsv,
  };
  if (returns.kind === 'pages' || returns.kind === 'list') {
    await readRows(cmd, operation, typed, output, options, wishes);
    return;
  }
  const [first, ...others] = await accountContexts(cmd);
  const { args, notes } = await argumentsFrom(first, operation, typed);
  // An error stays a single line: notes come once the service has answered.
  const tellNotes = () => notes.forEach((note) => void cmd.messages.say(`note: ${note}`));
  if (others.length > 0) {
    await withAccounts([first, ...others], wishes, (accounts) =>
      showEach(cmd, operation, args, output, accounts),
    );
    tellNotes();
    return;
  }
  const withClient = operation.roles.length === 0 ? withPublicApi : withApi;
  await withClient(first, wishes, async (api) => {
    const { reply: answered, body } = await api.exchange(operation, args, { numbers: 'exact' });
    const { confirmNo } = options;
    const reply = answered === false && confirmNo ? await confirmNo(api, args) : answered;
    tellNotes();
    const asSent = isAsReceived(output) || isCsv;
    if (returns.kind === 'schema' || (asSent && body !== '')) await showText(cmd, output, body);
    else if (returns.kind === 'answer') await showAnswer(cmd, output, returns, reply === true);
    else await showValue(cmd, output, reply as number | string, shapeOf(operation));
    await remember(first, operation, args, [reply]);
  });
}

/** What each of several accounts answers, as a row with its name. */
async function showEach(
  cmd: CommandContext,
  operation: Operation,
  args: Arguments,
  output: OutputOptions,
  accounts: readonly Account[],
): Promise<void> {
  const { returns } = operation;
  if (isAsReceived(output) || returns.kind === 'schema' || returns.kind === 'answer') {
    throw usage(`several profiles are for rows, counts and figures`, {
      hint: 'name one with --profile',
    });
  }
  const answers = await askEach(cmd, accounts, ({ api }) =>
    api.call(operation, args, { numbers: 'exact' }),
  );
  const rows = answers.map(({ account: { profile }, answer }) =>
    returns.kind === 'one'
      ? { profile, ...(answer as object) }
      : { profile, [returns.kind]: answer },
  );
  const fields = { [returns.kind]: integer };
  const shape = 'resource' in returns ? returns.resource : resource('row', [returns.kind], fields);
  await showPages(cmd, output, { resource: withProfile(shape) }, onePage(rows));
}

export function shapeOf({ returns }: Operation): Partial<View> {
  return 'resource' in returns ? { resource: returns.resource, layout: 'cards' } : {};
}

/** A yes or no: in words, or as `{"active": true}`; no is an exit code of its own. */
async function showAnswer(
  cmd: CommandContext,
  output: OutputOptions,
  { yes, no }: { readonly yes: string; readonly no: string },
  isYes: boolean,
): Promise<void> {
  const structured = output.format === 'json' || output.format === 'ndjson';
  if (structured) await showValue(cmd, output, { [yes]: isYes });
  else await showText(cmd, output, isYes ? yes : no);
  if (!isYes) cmd.endWith(exitCodes.no);
}
