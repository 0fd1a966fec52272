/** What the commands of `cb ins secrets` do. */
import { text as readText } from 'node:stream/consumers';
import { openNotificationSecrets } from '../../profiles/notification-secrets.ts';
import type { CommandContext } from '../../shell/context.ts';
import { exitCodes, Failure, usage } from '../../shell/failure.ts';
import { suggest } from '../../shell/options/nearest.ts';
import { type Sandbox, withSandbox } from '../../shell/session/sandbox-session.ts';
import { sourceOf } from '../../shell/session/session.ts';
import { privatePlace } from '../../shell/session/stored-profiles.ts';

/** In lower case, so that a secret is never taken for a name. */
const nameForm = /^[a-z][a-z0-9.-]{0,63}$/;

export async function addSecret(
  cmd: CommandContext,
  { withSecret = false, keychain = false },
  name = 'default',
): Promise<void> {
  requireName(name);
  const secret = await readSecret(cmd, withSecret);
  const problem = problemWithSecret(secret);
  if (problem) throw usage(problem, { hint: `Nothing was stored. ${secretRule}` });
  const keptIn = await storedSecrets(cmd).add(name, secret, keychain);
  const place = keptIn === 'keychain' ? ' in the keychain' : '';
  cmd.messages.say(`Stored the notification secret '${name}'${place}.`);
}

async function readSecret(cmd: CommandContext, withSecret: boolean): Promise<string> {
  if (withSecret) return (await readText(cmd.context.stdin)).trim();
  if (!cmd.mayAsk) {
    const hint = 'Pass --with-secret to read the secret from stdin.';
    throw usage('--with-secret is missing: cb cannot prompt for the secret here.', { hint });
  }
  const prompts = await cmd.context.prompts();
  return (await prompts.hidden('Secret key of the notifications:')).trim();
}

export async function removeSecret(cmd: CommandContext, name: string): Promise<void> {
  requireName(name);
  const secrets = storedSecrets(cmd);
  if (!(await secrets.remove(name))) {
    const names = secrets.list().map((secret) => secret.name);
    const hint = suggest(name, names, 'To list them, run `cb ins secrets list`.');
    throw usage(`There is no notification secret '${name}'.`, { hint });
  }
  cmd.messages.tell(`Removed the notification secret '${name}'.`);
}

/** The name is not quoted, because it may be the secret, typed in the wrong place. */
function requireName(name: string): void {
  if (nameForm.test(name)) return;
  throw usage('Invalid name of a secret. Use lower-case letters, digits, dots and dashes.', {
    hint: 'Choose a name such as shop2. cb asks for the secret itself.',
  });
}

export interface KnownSecret {
  readonly name: string;
  readonly secret: string;
}

export function storedSecrets(cmd: Pick<CommandContext, 'context' | 'messages'>) {
  return openNotificationSecrets(privatePlace(cmd), (note) => cmd.messages.say(`note: ${note}`));
}

/** The sandbox knows the secrets of its receivers, so that nobody has to copy them. */
function secretsOfSandbox(cmd: CommandContext): Promise<readonly KnownSecret[]> {
  // Queued notifications wait, because the listener that asks is not listening yet.
  const quiet = new AbortController();
  const signal = AbortSignal.any([cmd.context.signal, quiet.signal]);
  const read = async ({ notifications }: Sandbox) => {
    quiet.abort();
    const secrets = notifications.secrets();
    return secrets.map((secret, at) => ({ name: at > 0 ? 'sandbox-2' : 'sandbox', secret }));
  };
  return withSandbox(cmd, read, { signal });
}

/**
 * Those of the sandbox if the command uses it, then the secret of CB_INS_SECRET, then the stored ones. Throws a Failure
 * without any, and for one that is invalid; no message quotes it.
 */
export async function knownSecrets(cmd: CommandContext): Promise<readonly KnownSecret[]> {
  const given = cmd.context.env.CB_INS_SECRET?.trim();
  const problem = given === undefined ? undefined : problemWithSecret(given);
  if (problem) {
    throw usage(`CB_INS_SECRET is invalid. ${problem}`, { hint: secretRule });
  }
  const stored = await storedSecrets(cmd).read();
  // A listener does not need the profiles, so errors in them are ignored.
  const source = await sourceOf(cmd).catch(() => undefined);
  const isSandbox = source?.kind === 'sandbox';
  const own = isSandbox ? await secretsOfSandbox(cmd) : [];
  const set = given === undefined ? [] : [{ name: 'CB_INS_SECRET', secret: given }];
  const known = [...own, ...set, ...stored];
  if (known.length > 0) return known;
  const [hint, next] = isSandbox
    ? [
        'The sandbox has no receiver yet. Add the URL of cb ins listen, with port 4242 or the one that you pass with --port.',
        'cb sandbox ins add http://127.0.0.1:4242',
      ]
    : [
        'Store the secret of your account, or set CB_INS_SECRET. For notifications of the sandbox, add --sandbox.',
        'cb ins secrets add',
      ];
  throw new Failure(exitCodes.key, 'There is no notification secret yet.', { hint, next });
}

/** The secret to encrypt with: the named one, or the first. Throws a usage failure for an unknown name. */
export async function secretNamed(
  cmd: CommandContext,
  name: string | undefined,
): Promise<KnownSecret> {
  const known = await knownSecrets(cmd);
  const found = name === undefined ? known[0] : known.find((secret) => secret.name === name);
  if (found) return found;
  const names = known.map((secret) => secret.name).join(', ');
  // Not quoted, because it may be a secret.
  throw usage('There is no notification secret of that name.', { hint: `Secrets: ${names}.` });
}

const secretRule =
  'A secret has at most 16 characters, capital letters and digits, as on the ClickBank website.';

/** Returns what is wrong with a secret, without quoting it; undefined if it is valid. */
export function problemWithSecret(secret: string): string | undefined {
  if (secret === '') return 'The secret is empty.';
  if (secret.length > 16) return 'The secret is longer than 16 characters.';
  if (/^[A-Z0-9]+$/.test(secret)) return undefined;
  return 'The secret has other characters than capital letters and digits.';
}
