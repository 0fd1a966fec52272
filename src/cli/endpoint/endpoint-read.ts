/** Running an operation that only reads. */
import type { Command, Option } from 'commander';
import type { Client as Api } from '../../client/client.ts';
import type { Day } from '../../dates/day.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { integer, resource } from '../../operations/resource.ts';
import type { ChartFacts } from '../display/chart.ts';
import { onePage, showPages, showText, showValue } from '../display/show.ts';
import type { Layout, View } from '../display/view.ts';
import { holdsDays, type Typed } from '../flags/flags.ts';
import { isAsReceived, type Showing, wireFor } from '../flags/show-flags.ts';
import { messageOf, readArguments } from '../flags/values.ts';
import {
  type Account,
  accountShells,
  askEach,
  withAccounts,
  withProfile,
} from '../lists/accounts.ts';
import { readRows } from '../lists/list-read.ts';
import { askForMissing } from '../prompts/ask.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { usage } from '../runtime/failure.ts';
import type { Call, Shell } from '../runtime/shell.ts';
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
  fill?(shell: Shell, typed: Typed): Promise<Typed>;
  /** Runs in place of the operation, where what was typed asks for it; false where it does not. */
  instead?(shell: Shell, typed: Typed, showing: Showing): Promise<boolean>;
  /** Shows a person what a write is about to change, before it is confirmed. */
  preview?(shell: Shell, api: Api, args: Arguments): Promise<void>;
  /** A no can also mean that the service would not say: asks again, and throws where that is so. */
  confirmNo?(api: Api, args: Arguments): Promise<boolean>;
  /** Command lines beside those of the catalogue, which need something that isn't there for all. */
  readonly examples?: readonly string[];
  /** Adds the command that comes next in the help, which is no operation of the catalogue. */
  addNext?(group: Command, call: Call): void;
}

/** What was typed, completed by questions and checked against the rules before anything is sent. */
export async function argumentsFrom(
  shell: Shell,
  operation: Operation,
  typed: Typed,
  day?: Day,
): Promise<{ readonly args: Arguments; readonly notes: readonly string[] }> {
  const source = holdsDays(operation, typed) ? 'local' : 'machine';
  const today = day ?? (await shell.today(source));
  let given = typed;
  for (;;) {
    const { args, findings } = readArguments(operation, given, today);
    const wordsOf = (some: typeof findings) => some.map((one) => messageOf(operation, one));
    const problems = findings.filter(({ weight }) => weight === 'problem');
    const missing = problems.filter(({ isMissing }) => isMissing);
    // A person is asked for what is missing; a required parameter is named by itself.
    const told = problems.filter(({ code }) => code !== 'missing');
    const isWrong = told.some(({ isMissing }) => !isMissing || !shell.mayAsk);
    if (isWrong) throw usage(wordsOf(told).join('; '));
    if (missing.length === 0) {
      return { args, notes: wordsOf(findings.filter(({ weight }) => weight === 'note')) };
    }
    const asked = missing.flatMap(({ param = [] }) => param);
    given = { ...given, ...(await askForMissing(shell, operation, asked, args)) };
  }
}

export async function readEndpoint(
  shell: Shell,
  operation: Operation,
  typed: Typed,
  showing: Showing,
  options: EndpointOptions,
): Promise<void> {
  const { returns } = operation;
  const isCsv = shell.flags.wire === 'csv';
  if (isCsv && !('csv' in returns)) throw usage('--wire csv is for analytics status only');
  const wishes = {
    ...wireFor(showing),
    ...(isCsv && { wire: 'csv' as const }),
    ...(showing.concurrency !== undefined && { concurrency: showing.concurrency }),
    asReceived: showing.format === 'raw' || isCsv,
  };
  if (returns.kind === 'pages' || returns.kind === 'list') {
    await readRows(shell, operation, typed, showing, options, wishes);
    return;
  }
  const [first, ...others] = await accountShells(shell);
  const { args, notes } = await argumentsFrom(first, operation, typed);
  // An error stays a single line: notes come once the service has answered.
  const tellNotes = () => notes.forEach((note) => void shell.messages.say(`note: ${note}`));
  if (others.length > 0) {
    await withAccounts([first, ...others], wishes, (accounts) =>
      showEach(shell, operation, args, showing, accounts),
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
    const asSent = isAsReceived(showing) || isCsv;
    if (returns.kind === 'schema' || (asSent && body !== '')) await showText(shell, showing, body);
    else if (returns.kind === 'answer') await showAnswer(shell, showing, returns, reply === true);
    else await showValue(shell, showing, reply as number | string, shapeOf(operation));
    await remember(first, operation, args, [reply]);
  });
}

/** What each of several accounts answers, as a row with its name. */
async function showEach(
  shell: Shell,
  operation: Operation,
  args: Arguments,
  showing: Showing,
  accounts: readonly Account[],
): Promise<void> {
  const { returns } = operation;
  if (isAsReceived(showing) || returns.kind === 'schema' || returns.kind === 'answer') {
    throw usage(`several profiles are for rows, counts and figures`, {
      hint: 'name one with --profile',
    });
  }
  const answers = await askEach(shell, accounts, ({ api }) =>
    api.call(operation, args, { numbers: 'exact' }),
  );
  const rows = answers.map(({ account: { profile }, answer }) =>
    returns.kind === 'one'
      ? { profile, ...(answer as object) }
      : { profile, [returns.kind]: answer },
  );
  const fields = { [returns.kind]: integer };
  const shape = 'resource' in returns ? returns.resource : resource('row', [returns.kind], fields);
  await showPages(shell, showing, { resource: withProfile(shape) }, onePage(rows));
}

export function shapeOf({ returns }: Operation): Partial<View> {
  return 'resource' in returns ? { resource: returns.resource, layout: 'cards' } : {};
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
