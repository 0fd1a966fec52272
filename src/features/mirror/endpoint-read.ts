/** Runs an operation that only reads. */
import type { Client } from '../../client/client.ts';
import { splitArguments } from '../../client/paging/windows.ts';
import { countInZone } from '../../client/zoned-period.ts';
import { serviceZone } from '../../dates/day.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { integer, resource } from '../../operations/resource.ts';
import { onePage } from '../../output/stream.ts';
import type { CommandContext } from '../../shell/context.ts';
import { showPages, showText, showValue } from '../../shell/display/show.ts';
import type { View } from '../../shell/display/view.ts';
import { exitCodes, Failure, failureFrom, usage } from '../../shell/failure.ts';
import type { Typed } from '../../shell/options/flags.ts';
import {
  isAsReceived,
  isStructured,
  type OutputOptions,
  wireFor,
} from '../../shell/options/show-flags.ts';
import { todayOf, withApi } from '../../shell/session/session.ts';
import { requirePacific, timeZoneOf } from '../../shell/terminal/zone.ts';
import { accountsOf } from '../earnings/transaction.ts';
import { accountContexts, askEach, withAccounts, withProfile } from '../lists/accounts.ts';
import { readRows, requireOneResponse, wildcardNotes, zonedArguments } from '../lists/list.ts';
import { argumentsFrom, type EndpointOptions } from './arguments.ts';

export async function readEndpoint(...call: Parameters<typeof read>): Promise<void> {
  await read(...call).catch(async (error) => {
    const [cmd, { params }, typed] = call;
    const [name = ''] = Object.entries(params).find(([, { names }]) => names === 'account') ?? [];
    const asked = typed[name];
    const { code, status } = failureFrom(error);
    if (typeof asked !== 'string' || status !== 403) throw error;
    // ClickBank refuses a read if the key has no such account; the failure names those that it has.
    const accounts = await withApi(cmd, {}, (client) => accountsOf(client)).catch(() => []);
    const isKnown = accounts.some((one) => one === asked.toUpperCase());
    if (accounts.length === 0 || isKnown) throw error;
    throw new Failure(code, `This key has no account '${asked}'.`, {
      hint: `Accounts of this key: ${accounts.join(', ')}.`,
      ...{ status, cause: error },
    });
  });
}

async function read(
  cmd: CommandContext,
  operation: Operation,
  typed: Typed,
  output: OutputOptions,
  options: EndpointOptions,
): Promise<void> {
  const { returns } = operation;
  if (operation.isPacific) requirePacific(cmd);
  if (returns.kind === 'schema' && ['xlsx', 'parquet'].includes(output.format)) {
    throw usage(`A schema is XML, so it can't be written as ${output.format}.`);
  }
  const wishes = {
    ...wireFor(output),
    ...(output.concurrency !== undefined && { concurrency: output.concurrency }),
    asReceived: output.format === 'raw',
  };
  if (returns.kind === 'pages' || returns.kind === 'list') {
    await readRows(cmd, operation, typed, output, options, wishes);
    return;
  }
  const [first, ...others] = await accountContexts(cmd);
  const { args: asked, notes } = await argumentsFrom(first, operation, typed);
  const zone = timeZoneOf(cmd).name;
  const today = zone === serviceZone ? undefined : await todayOf(first);
  const { each, ranges } = zonedArguments(operation, [asked], zone, today);
  const [args] = each;
  requireOneResponse(operation, args, output, ranges);
  const [range] = ranges;
  const answer = async (api: Client) => {
    if (!range) return exchange(api, operation, args);
    return { reply: await countInZone(api, operation, args, range), body: '' };
  };
  // Notes follow the response, so that an error stays a single line.
  const tellNotes = () => notes.forEach((note) => void cmd.messages.say(`note: ${note}`));
  if (others.length > 0) {
    if (isAsReceived(output) || returns.kind === 'schema' || returns.kind === 'answer') {
      throw usage('This output is one response, so it requires a single profile.', {
        hint: 'Choose one with --profile.',
      });
    }
    const fields = { [returns.kind]: integer };
    const row = 'resource' in returns ? returns.resource : resource('row', [returns.kind], fields);
    await withAccounts([first, ...others], wishes, async (accounts) => {
      const answers = await askEach(cmd, accounts, async ({ api }) => (await answer(api)).reply);
      const rows = answers.map(({ account: { profile }, answer }) => {
        const cells = returns.kind === 'one' ? (answer as object) : { [returns.kind]: answer };
        return { profile, ...cells };
      });
      await showPages(cmd, output, { resource: withProfile(row) }, onePage(rows));
    });
    tellNotes();
    return;
  }
  const needsKey = operation.roles.length > 0;
  await withApi(first, { ...wishes, needsKey }, async (api) => {
    const { reply: answered, body } = await answer(api);
    const { confirmNo } = options;
    const reply = answered === false && confirmNo ? await confirmNo(api, args) : answered;
    tellNotes();
    const isAsSent = isAsReceived(output) && body !== '';
    if (returns.kind === 'schema' || isAsSent) await showText(cmd, output, body);
    else if (returns.kind === 'answer') {
      const { yes, no } = returns;
      if (isStructured(output)) await showValue(cmd, output, { [yes]: reply === true });
      else await showText(cmd, output, reply === true ? yes : no);
      if (reply !== true) cmd.endWith(exitCodes.no);
    } else await showValue(cmd, output, reply as number | string, shapeOf(operation));
    if (returns.kind === 'count' && Number(reply) === 0) {
      for (const note of wildcardNotes(operation, args)) cmd.messages.say(`note: ${note}`);
    }
  });
}

/** Sends one request, or several counts whose results are added up. */
async function exchange(api: Client, operation: Operation, args: Arguments) {
  const [first = args, ...others] = splitArguments(operation, args);
  const answer = await api.exchange(operation, first, { numbers: 'exact' });
  if (others.length === 0) return answer;
  const counts = await Promise.all(others.map((one) => api.call(operation, one)));
  const reply = counts.reduce<number>((sum, rows) => sum + Number(rows), Number(answer.reply));
  return { ...answer, reply };
}

export function shapeOf({ returns }: Operation): Partial<View> {
  return 'resource' in returns ? { resource: returns.resource, layout: 'cards' } : {};
}
