/** What the commands of `cb ins secrets` do. */
import { text as readText } from 'node:stream/consumers';
import { problemWithSecret } from '../../ins/secret.ts';
import { headed, resource, text } from '../../operations/resource.ts';
import { onePage } from '../../output/stream.ts';
import { showPages } from '../display/show.ts';
import { nearest } from '../flags/nearest.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { secretRule, storedSecrets } from './known-secrets.ts';

export interface AddSecretFlags {
  readonly withSecret?: boolean;
  readonly keychain?: boolean;
}

/** In lower case, so that a secret is never taken for a name. */
const nameForm = /^[a-z][a-z0-9.-]{0,63}$/;

const secretResource = resource('secret', ['name', 'keptIn'], {
  name: text,
  keptIn: headed('Stored in', text),
});

export async function addSecret(
  cmd: CommandContext,
  flags: AddSecretFlags,
  name = 'default',
): Promise<void> {
  requireName(name);
  const secret = await readSecret(cmd, flags);
  const problem = problemWithSecret(secret);
  if (problem) throw usage(problem, { hint: `Nothing was stored. ${secretRule}` });
  const options = { keychain: flags.keychain ?? false };
  const keptIn = await storedSecrets(cmd).add(name, secret, options);
  const place = keptIn === 'keychain' ? ' in the keychain' : '';
  cmd.messages.say(`Stored the notification secret '${name}'${place}.`);
}

async function readSecret(cmd: CommandContext, { withSecret }: AddSecretFlags): Promise<string> {
  if (withSecret) return (await readText(cmd.context.stdin)).trim();
  if (!cmd.mayAsk) {
    throw usage('--with-secret is missing: cb cannot prompt for the secret here.', {
      hint: 'Pass --with-secret to read the secret from stdin.',
    });
  }
  const prompts = await cmd.context.prompts();
  return (await prompts.hidden('Secret key of the notifications:')).trim();
}

export async function listSecrets(cmd: CommandContext, output: OutputOptions): Promise<void> {
  const rows = storedSecrets(cmd).list();
  await showPages(cmd, output, { resource: secretResource }, onePage(rows));
}

export async function removeSecret(cmd: CommandContext, name: string): Promise<void> {
  requireName(name);
  const secrets = storedSecrets(cmd);
  if (!(await secrets.remove(name))) {
    const names = secrets.list().map((secret) => secret.name);
    const near = nearest(name, names);
    throw usage(`There is no notification secret '${name}'.`, {
      hint: near ? `Did you mean ${near}?` : 'To list them, run `cb ins secrets list`.',
    });
  }
  cmd.messages.tell(`Removed the notification secret '${name}'.`);
}

/** The name is not quoted, because it may be the secret, typed in the wrong place. */
function requireName(name: string): void {
  if (nameForm.test(name)) return;
  throw usage('Invalid name of a secret. Use lower-case letters, digits, dots and dashes.', {
    hint: 'The name is of your choice, such as shop2. cb asks for the secret itself.',
  });
}
