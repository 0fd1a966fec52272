/** `cb login`, `cb logout`, `cb profiles …` and `cb whoami`: the stored keys. */
import { text as readText } from 'node:stream/consumers';
import { baseUrlFrom } from '../../client/http/origin.ts';
import { type Permissions, permissionsOf } from '../../client/permissions.ts';
import { boolean, nillable, resource, text } from '../../operations/resource.ts';
import {
  builtIn,
  isBuiltIn,
  type Profile,
  type Profiles,
  plainName,
} from '../../profiles/credentials.ts';
import { baseUrlIn } from '../../profiles/find-service.ts';
import { keyFrom } from '../../profiles/key-command.ts';
import { forgetKey, keep } from '../../profiles/keychain.ts';
import type { CommandContext, CommonFlags } from '../../shell/context.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { showValue } from '../../shell/display/show.ts';
import { exitCodes, Failure, usage } from '../../shell/failure.ts';
import { connectionOptions } from '../../shell/help/help-text.ts';
import { splitWords } from '../../shell/session/aliases.ts';
import { sandboxKey } from '../../shell/session/sandbox-session.ts';
import {
  namedProfile,
  openSession,
  profileNamed,
  unknownProfile,
  withApi,
} from '../../shell/session/session.ts';
import { profilesOf, selectedProfile } from '../../shell/session/stored-profiles.ts';

export const login = command({
  words: 'login',
  options: {
    withKey: ['--with-key', 'Read the key from stdin instead of prompting'],
    baseUrl: ['--base-url <url>', 'Service that the key belongs to (default: ClickBank)'],
    keychain: ['--keychain', 'Store the key in the keychain of the operating system'],
    keyCommand: [
      '--key-command <command>',
      "Store no key, but a command that prints it each time, such as 'op read <name>'",
    ],
    check: ['--no-check', 'Store the key without testing it'],
  },
  help: {
    notes: [
      'Create a key on the ClickBank website under Settings, API Management. No option takes a key, because other users of the machine could see it.',
      'The key is stored in a file that only you can read. With --keychain it is stored in the macOS Keychain, the Windows Credential Manager or the Linux Secret Service; if none is available, cb says so and uses the file.',
      "With --key-command, cb runs a command of your password manager each time it needs the key, such as 'op read op://Shop/ClickBank/key', 'pass clickbank' or 'secret-tool lookup service clickbank'. The command runs without a shell, has ten seconds, and its output is never shown.",
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
    const name = profileName(flags, cmd.context.env.CB_PROFILE);
    await refuseKey(name);
    const baseUrl =
      flags.baseUrl === undefined
        ? baseUrlIn(cmd.context.env)
        : baseUrlFrom(flags.baseUrl, '--base-url');
    const keyCommand =
      flags.keyCommand === undefined ? undefined : await commandFrom(flags.keyCommand, flags);
    const key = keyCommand ? await keyFrom(keyCommand) : await readKey(cmd, flags.withKey);
    if (!/^(API|DEV)-/.test(key)) {
      cmd.messages.say("note: ClickBank keys begin with 'API-'. This one does not.");
    }
    const permitted =
      flags.check === false
        ? undefined
        : permissionWords(await withApi(cmd, {}, permissionsOf, { profile: name, baseUrl, key }));
    const profiles = await profilesOf(cmd);
    const saved = await keep(
      { owner: name, text: key, isInKeychain: flags.keychain ?? false },
      (keychain) => {
        const kept = keyCommand ? { keyCommand } : keychain ? { keychain } : { key };
        return profiles.save(name, { baseUrl, ...kept });
      },
      (note) => cmd.messages.say(`note: ${note}`),
    );
    const place = saved === 'keychain' ? ' in the keychain' : '';
    const use = isUsed(name, cmd, profiles) ? '' : ` To use it, add --profile ${name}.`;
    const what = keyCommand ? 'a command for the key' : 'the key';
    cmd.messages.say(`Stored ${what} for ${baseUrl}${place} as profile '${name}'.${use}`);
    if (permitted) cmd.messages.say(permitted);
  },
});

/** Whether commands without --profile use a profile. */
function isUsed(name: string, { context }: CommandContext, profiles: Profiles): boolean {
  return context.env.CB_API_KEY === undefined && selectedProfile(context, profiles) === name;
}

function profileName(flags: CommonFlags, inUse = 'default'): string {
  const profile = namedProfile(flags) ?? inUse;
  if (isBuiltIn(profile)) {
    throw usage('The sandbox is built in and needs no login.', { next: 'cb --sandbox whoami' });
  }
  if (!plainName.test(profile)) {
    throw usage('Invalid profile name. Use letters, digits, dots, dashes and underscores.');
  }
  return profile;
}

/** Refuses a key in the place of a name or a command. Shorter words can be names, such as DEV-shop. */
async function refuseKey(typed = ''): Promise<void> {
  if (!/^(API|DEV)-[A-Z0-9]{20}/.test(typed)) return;
  const { keyTyped } = await import('../../shell/grammar/explain.ts');
  throw keyTyped();
}

async function commandFrom(
  typed: string,
  { withKey, keychain }: { readonly withKey?: boolean; readonly keychain?: boolean },
): Promise<readonly string[]> {
  const other = withKey ? '--with-key' : keychain ? '--keychain' : undefined;
  if (other) throw usage(`--key-command and ${other} can't be combined.`);
  const words = await splitWords(typed);
  if (words.length === 0) throw usage('--key-command is empty.');
  await refuseKey(words[0]);
  return words;
}

async function readKey(cmd: CommandContext, withKey = false): Promise<string> {
  if (!withKey && !cmd.mayAsk) {
    const hint = 'Pass --with-key to read the key from stdin.';
    throw usage('--with-key is missing: cb cannot prompt for the key here.', { hint });
  }
  const typed = withKey
    ? await readText(cmd.context.stdin)
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

const profile = resource('profile', ['name', 'baseUrl', 'current', 'keyIn'], {
  ...{ name: text, baseUrl: text, current: boolean, keyIn: nillable(text) },
});

const args = { '<name>': 'Profile name' };

const list = command({
  words: 'profiles list',
  summary: 'List stored profiles',
  rows: profile,
  help: { examples: ['cb profiles list', 'cb profiles list -o json'] },
  async run(cmd) {
    const profiles = await profilesOf(cmd);
    const current = profiles.current();
    const stored = profiles.names().map((name) => {
      const found = profiles.get(name);
      const { baseUrl } = found ?? {};
      return { name, baseUrl, current: name === current, keyIn: keptIn(found) };
    });
    const isSandbox = current !== undefined && isBuiltIn(current);
    const name = isSandbox ? current : 'sandbox';
    return [...stored, { name, baseUrl: null, current: isSandbox, keyIn: null }];
  },
});

function keptIn({ keychain, keyCommand }: Partial<Profile> = {}): string {
  if (keyCommand) return 'command';
  return keychain === undefined ? 'file' : 'keychain';
}

const use = command({
  words: 'profiles use',
  summary: 'Select the current profile',
  args,
  help: { examples: ['cb profiles use work', 'cb profiles use sandbox'], effect: 'writes' },
  async run(cmd, { name }) {
    const profiles = await profilesOf(cmd);
    const sandbox = builtIn.exec(name);
    if (sandbox) await sandboxKey(sandbox[1] ?? 'full');
    else profileNamed(profiles, name);
    await profiles.use(name);
    cmd.messages.tell(`Profile '${name}' is now the current profile.`);
    if (!isUsed(name, cmd, profiles)) {
      const used = cmd.context.env.CB_API_KEY === undefined ? 'CB_PROFILE' : 'CB_API_KEY';
      cmd.messages.say(`warning: ${used} is set, and cb uses it instead.`);
    }
  },
});

const remove = command({
  words: 'profiles remove',
  summary: 'Remove a profile and its key',
  args,
  help: { examples: ['cb profiles remove shop2'], effect: 'destroys' },
  run: (cmd, { name }) => removeProfile(cmd, name),
});

export const profiles: GroupSpec = {
  words: 'profiles',
  help: { topics: ['credentials'] },
  commands: [list, use, remove],
};

export const logout = command({
  words: 'logout',
  help: {
    examples: ['cb logout', 'cb logout --profile shop2'],
    obeys: ['--profile'],
    effect: 'destroys',
    topics: ['credentials'],
  },
  async run(cmd) {
    const name = namedProfile(cmd.flags) ?? selectedProfile(cmd.context, await profilesOf(cmd));
    if (name === undefined) throw new Failure(exitCodes.key, 'There is no stored API key.');
    await removeProfile(cmd, name);
  },
});

async function removeProfile(cmd: CommandContext, name: string): Promise<void> {
  if (isBuiltIn(name)) {
    const hint = 'To remove another profile, add its name. `cb profiles list` shows them.';
    throw usage('The sandbox is built in and has no key to remove.', { hint });
  }
  const profiles = await profilesOf(cmd);
  const removed = await profiles.remove(name);
  if (!removed) throw unknownProfile(profiles, name);
  const isGone = await forgetKey(removed, (note) => cmd.messages.say(`note: ${note}`));
  cmd.messages.tell(`Removed profile '${name}'${isGone ? ' and its key' : ''}.`);
}

export const whoami = command({
  words: 'whoami',
  shows: {},
  help: {
    examples: ['cb whoami', 'cb whoami --profile sandbox:read-only'],
    obeys: connectionOptions,
    topics: ['credentials'],
  },
  async run(cmd, _, output) {
    const session = await openSession(cmd);
    const permissions = await withApi(cmd, {}, permissionsOf, session);
    const isKnown = typeof permissions !== 'string';
    await showValue(cmd, output, {
      profile: session.profile ?? null,
      baseUrl: session.baseUrl,
      key: `${session.key.slice(0, 4)}…${session.key.length > 12 ? session.key.slice(-4) : ''}`,
      keyIn: await placeOfKey(cmd, session.profile),
      roles: isKnown ? permissions : null,
    });
    if (!isKnown) cmd.messages.say(`note: ${permissionWords(permissions)}`);
  },
});

async function placeOfKey(cmd: CommandContext, profile: string | undefined) {
  if (profile === undefined) return 'environment';
  if (isBuiltIn(profile)) return null;
  return keptIn((await profilesOf(cmd)).get(profile));
}

export function permissionWords(permissions: Permissions): string {
  if (permissions === 'unavailable')
    return 'The key is valid. ClickBank did not list its permissions.';
  if (permissions === 'unrecognized') {
    return 'The key is valid. ClickBank listed no permission that cb knows, so its permissions are unknown.';
  }
  if (permissions.length === 0) return 'The key has no permissions.';
  return `Permissions of the key: ${permissions.join(', ')}.`;
}
