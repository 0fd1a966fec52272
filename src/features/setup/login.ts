/** `cb login` */
import { text } from 'node:stream/consumers';
import { baseUrlFrom } from '../../client/http/origin.ts';
import { permissionsOf } from '../../client/permissions.ts';
import { baseUrlIn, isBuiltIn } from '../../profiles/find-service.ts';
import { saveKey } from '../../profiles/keychain.ts';
import type { CommandContext, CommonFlags } from '../../shell/command-context.ts';
import { command } from '../../shell/define.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure, usage } from '../../shell/failure.ts';
import { withApi } from '../../shell/session/session.ts';
import { profilesOf } from '../../shell/session/stored-profiles.ts';
import { permissionWords } from './whoami.ts';

export const login = command({
  words: 'login',
  options: {
    withKey: ['--with-key', 'Read the key from stdin instead of prompting'],
    baseUrl: ['--base-url <url>', 'Service that the key belongs to (default: ClickBank)'],
    keychain: ['--keychain', 'Store the key in the keychain of the operating system'],
    check: ['--no-check', 'Store the key without testing it'],
  },
  help: {
    notes: [
      'Create a key on the ClickBank website under Settings, API Management. No option takes a key, because other users of the machine could see it.',
      'The key is stored in a file that only you can read. With --keychain it is stored in the macOS Keychain, the Windows Credential Manager or the Linux Secret Service; if none is available, cb says so and uses the file.',
    ],
    examples: [
      'cb login',
      'cb login --profile shop2',
      'cb login --keychain',
      'cb login --with-key < key.txt',
    ],
    obeys: ['--profile', '--timeout'],
    effect: 'writes',
    topics: ['credentials', 'environment'],
  },
  async run(cmd, flags) {
    const name = profileName(flags);
    const baseUrl =
      flags.baseUrl === undefined
        ? baseUrlIn(cmd.context.env)
        : baseUrlFrom(flags.baseUrl, '--base-url');
    const key = await readKey(cmd, flags.withKey);
    if (!/^(API|DEV)-/.test(key)) {
      cmd.messages.say("note: ClickBank keys begin with 'API-'. This one does not.");
    }
    const permitted =
      flags.check === false
        ? undefined
        : permissionWords(await withApi(cmd, {}, permissionsOf, { profile: name, baseUrl, key }));
    const profiles = await profilesOf(cmd);
    const keptIn = await saveKey(
      profiles,
      { name, baseUrl, key, keychain: flags.keychain ?? false },
      (note) => cmd.messages.say(`note: ${note}`),
    );
    const place = keptIn === 'keychain' ? ' in the keychain' : '';
    const use = profiles.current() === name ? '' : ` To use it, add --profile ${name}.`;
    cmd.messages.say(`Stored the key for ${baseUrl}${place} as profile '${name}'.${use}`);
    if (permitted) cmd.messages.say(permitted);
  },
});

function profileName({ profile = 'default', sandbox }: CommonFlags): string {
  if (sandbox || isBuiltIn(profile)) {
    throw usage('The sandbox is built in and needs no login.', { next: 'cb --sandbox whoami' });
  }
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(profile)) {
    throw usage('Invalid --profile. Use a name of letters, digits, dots, dashes and underscores.');
  }
  return profile;
}

async function readKey(cmd: CommandContext, withKey = false): Promise<string> {
  if (!withKey && !cmd.mayAsk) {
    const hint = 'Pass --with-key to read the key from stdin.';
    throw usage('--with-key is missing: cb cannot prompt for the key here.', { hint });
  }
  const typed = withKey
    ? await text(cmd.context.stdin)
    : await (await cmd.context.prompts()).hidden('API key:');
  const key = typed.trim();
  if (key === '') throw new Failure(exitCodes.key, 'The key is empty. Nothing was stored.');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw usage('The key contains a space, a line break or an invalid character.', {
      hint: 'Nothing was stored. Copy the key again from the ClickBank website.',
    });
  }
  return key;
}
