/** `cb doctor`: checks the installation, the configuration and the services. */

import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { permissionsOf } from '../../client/permissions.ts';
import { pacificDay } from '../../dates/day.ts';
import { keyOf } from '../../profiles/keychain.ts';
import type { CommandContext } from '../../shell/context.ts';
import { command } from '../../shell/define.ts';
import { exitCodes, failureFrom } from '../../shell/failure.ts';
import { connectionOptions } from '../../shell/help/help-text.ts';
import { requireShowable } from '../../shell/options/show-flags.ts';
import { clockProblem, openSession, type Session, withApi } from '../../shell/session/session.ts';
import { findAmountCurrency, youEarn } from '../earnings/transaction.ts';
import {
  codeOver,
  errorFinding,
  type Finding,
  findingResource,
  fine,
  showFindings,
  warning,
} from './finding.ts';
import { permissionWords } from './keys.ts';
import { localFindings, readStored, type Stored, serviceAt } from './local-checks.ts';

/** A key to check; `name` is its profile or environment variable. */
interface Target {
  readonly name: string;
  /** How to replace it; default: log in again. */
  readonly again?: string;
  open(): Promise<Session>;
}

/** The profiles named by options; otherwise the key of the environment and every stored one. */
function targetsOf(cmd: CommandContext, { profiles }: Stored): Target[] {
  const { allProfiles, ...flags } = cmd.flags;
  const openWith = (profile?: string) => () =>
    openSession({ ...cmd, flags: { ...flags, ...(profile !== undefined && { profile }) } });
  const named = flags.profile ?? (flags.sandbox ? 'sandbox' : undefined);
  if (named !== undefined) {
    const names = named.split(',').map((name) => name.trim());
    return names.map((name) => ({ name, open: openWith(name) }));
  }
  const inEnvironment = {
    name: 'CB_API_KEY',
    again: 'Set CB_API_KEY to a valid key, or unset it.',
    open: openWith(),
  };
  // Checks each profile with its own service, regardless of CB_BASE_URL.
  const stored = profiles.flatMap(({ name, profile }): Target[] => {
    const baseUrl = profile && serviceAt(profile.baseUrl).url;
    if (!profile || baseUrl === undefined || profile.key === '') return [];
    const open = async () => ({ profile: name, baseUrl, key: await keyOf(name, profile) });
    return [{ name, open }];
  });
  return [...(cmd.context.env.CB_API_KEY?.trim() ? [inEnvironment] : []), ...stored];
}

/** Throws only if the user cancels. */
async function onlineFindings(cmd: CommandContext, targets: readonly Target[]): Promise<Finding[]> {
  const { flags } = cmd;
  // One short attempt: doctor should report a service that is unavailable now.
  const brief = { ...cmd, flags: { ...flags, timeout: flags.timeout ?? '10', maxWait: '0' } };
  const results = targets.map(async (target): Promise<Checked> => {
    try {
      const session = await target.open();
      const check = (client: Client) => checkWith(brief, target, session, client);
      return await withApi(brief, {}, check, session);
    } catch (error) {
      return { findings: [failed(brief, target, error)] };
    }
  });
  const checked = await Promise.all(results);
  const [clock] = checked.flatMap(({ ahead }) => ahead ?? []);
  const findings = checked.flatMap((one) => one.findings);
  if (clock === undefined) return findings;
  // cb computes days and periods from the clock of this machine.
  const problem = clockProblem(clock);
  const fix = 'Set the clock of this machine, ideally with a time server (NTP).';
  const found = problem
    ? errorFinding('clock', `${problem} clock.`, fix)
    : fine('clock', "within 5 minutes of the service's clock");
  return [...findings, found];
}

interface Checked {
  readonly findings: readonly Finding[];
  /** Milliseconds that the clock of the service is ahead of this machine. */
  readonly ahead?: number | undefined;
}

async function checkWith(
  cmd: CommandContext,
  target: Target,
  { baseUrl }: Session,
  client: Client,
): Promise<Checked> {
  const { name } = target;
  const start = performance.now();
  const request = { method: 'GET', path: '/rest/1.3/debug', query: [] } as const;
  const { headers, body } = await client.send(request, 1);
  const took = Math.round(performance.now() - start);
  // A login page would accept any key.
  if (/^\s*<(?:!doctype )?html/i.test(body)) {
    const fix = 'Check for a proxy or a login page on the network, and check the base URL.';
    const found = 'The response is a web page.';
    return { findings: [errorFinding(`reach ${name}`, found, fix, exitCodes.failed)] };
  }
  const difference = Date.parse(headers.date ?? '') - cmd.context.now().getTime();
  const findings = [fine(`reach ${name}`, `${baseUrl} responded in ${took} ms`)];
  try {
    const permissions = await permissionsOf(client);
    const check = `permissions ${name}`;
    const words = permissionWords(permissions);
    const fix =
      'Give the key permissions on the ClickBank website, under Settings, API Management.';
    const permitted = permissions.length === 0 ? warning(check, words, fix) : fine(check, words);
    findings.push(fine(`key ${name}`, 'accepted'), permitted);
    if (permissions.includes('api_order_read')) {
      findings.push(await amountsFinding(cmd, name, client));
    }
  } catch (error) {
    findings.push(failed(cmd, target, error));
  }
  return { findings, ahead: Number.isNaN(difference) ? undefined : difference };
}

/** Whether the amounts of orders are in US dollars, which is disputed. */
async function amountsFinding({ context }: CommandContext, name: string, client: Client) {
  const check = `order amounts ${name}`;
  const today = pacificDay(context.now().getTime() / 1000);
  const found = await findAmountCurrency(client, today).catch((error: unknown) => {
    if (context.signal.aborted || !(error instanceof ApiError)) throw error;
    return error;
  });
  if (found instanceof ApiError) return fine(check, `unknown: ${found.message}`);
  const none =
    "unknown: none of the latest orders shows if amounts are in US dollars or in the customer's currency";
  if (!found) return fine(check, none);
  const { receipt, totalOrderAmount, currency } = found.row;
  const which = found.amounts === 'dollars' ? 'US dollars' : "the customer's currency";
  const total = `totalOrderAmount ${totalOrderAmount}, currency ${currency}`;
  const earned = `${youEarn(found.row)} USD`;
  return fine(check, `in ${which}: order ${receipt} has ${total}, and you earn ${earned}`);
}

function failed(
  { context }: CommandContext,
  { name, again = `cb login --profile ${name}` }: Target,
  error: unknown,
): Finding {
  if (context.signal.aborted) throw error;
  const { code, message, hint, next } = failureFrom(error);
  if (code === exitCodes.internal) throw error;
  if (code === exitCodes.key) return errorFinding(`key ${name}`, message, next ?? again);
  const fix = next ?? hint ?? 'Try again later, or use --debug to see the requests.';
  return errorFinding(`reach ${name}`, message, fix, code);
}

export const doctor = command({
  words: 'doctor',
  options: {
    online: ['--online', 'Also send a request with each key'],
    'no-online': ['--no-online', 'Check this machine only'],
  },
  shows: { rows: true, shape: () => findingResource },
  help: {
    notes: [
      'Checks Node, folders, settings, profiles, the environment and the states of --since-last; with --online, also ClickBank and the key of each profile. Without either option, cb asks on a terminal. It changes nothing and shows no keys or passwords.',
      'Exit codes:',
      {
        ' 0': 'no errors; there can be warnings',
        ' 3': 'an error in the configuration, the environment, a key or the clock',
        '4, 5, 6, 7': 'only a request failed; see cb help exit-codes',
      },
    ],
    examples: ['cb doctor', 'cb doctor --online -o json', 'cb --sandbox doctor --online'],
    obeys: connectionOptions,
    topics: ['environment', 'credentials', 'exit-codes'],
  },
  async run(cmd, { online }, output) {
    requireShowable(output, findingResource);
    const { context } = cmd;
    const stored = readStored(context);
    const findings = await localFindings(context, stored);
    const targets = targetsOf(cmd, stored);
    const names = targets.map(({ name }) => name).join(', ');
    const isAsked = targets.length > 0 && online === undefined && cmd.mayAsk;
    const question = `Also check the key of ${names} with a request?`;
    if (isAsked ? await (await context.prompts()).confirm(question) : online) {
      findings.push(...(await onlineFindings(cmd, targets)));
    }
    await showFindings(cmd, output, findings);
    cmd.endWith(codeOver(findings));
  },
});
