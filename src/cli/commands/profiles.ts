/** `cb profiles …` and `cb logout` */
import type { Command } from 'commander';
import { boolean, nillable, resource, text } from '../../operations/resource.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import { forgetKey } from '../../profiles/keychain.ts';
import { onePage, showPages } from '../display/show.ts';
import { readShowFlags, type ShowFlags } from '../flags/show-flags.ts';
import { addHelp } from '../help/help-text.ts';
import { addAction } from '../runtime/command.ts';
import type { Call, CommandContext, CommonFlags } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure, usage } from '../runtime/failure.ts';
import { profileNamed, unknownProfile } from '../session/session.ts';
import { profilesOf } from '../session/stored-profiles.ts';
import { addLocalCommands, type LocalCommand } from './local-command.ts';

export function addProfiles(group: Command, call: Call): void {
  addLocalCommands(group, call, commands);
  addHelp(group, () => ({ topics: ['credentials'] }));
}

const args = { name: 'Profile name' };

const commands: readonly LocalCommand[] = [
  {
    name: 'list',
    summary: 'List stored profiles',
    prints: 'rows',
    examples: ['cb profiles list', 'cb profiles list -o json'],
    run: listProfiles,
  },
  {
    name: 'use',
    summary: 'Select the current profile',
    effect: 'writes',
    args,
    examples: ['cb profiles use work', 'cb profiles use sandbox'],
    async run(cmd, _, name) {
      const profiles = await profilesOf(cmd);
      if (!isBuiltIn(name)) profileNamed(profiles, name);
      await profiles.use(name);
      cmd.messages.tell(`Profile '${name}' is now the current profile.`);
    },
  },
  {
    name: 'remove',
    summary: 'Remove a profile and its key',
    effect: 'destroys',
    args,
    examples: ['cb profiles remove shop2'],
    run: (cmd, _, name) => removeProfile(cmd, name),
  },
];

export function buildLogout(command: Command, call: Call): void {
  addAction(command, call, async (cmd, { profile }: CommonFlags) => {
    const name = profile ?? (await profilesOf(cmd)).current();
    if (name === undefined) throw new Failure(exitCodes.key, 'There is no stored API key.');
    await removeProfile(cmd, name);
  });
  addHelp(command, () => ({
    examples: ['cb logout', 'cb logout --profile shop2'],
    obeys: ['--profile'],
    effect: 'destroys',
    topics: ['credentials'],
  }));
}

const profile = resource('profile', ['name', 'baseUrl', 'current', 'keyIn'], {
  name: text,
  baseUrl: text,
  current: boolean,
  keyIn: nillable(text),
});

async function listProfiles(cmd: CommandContext, flags: ShowFlags): Promise<void> {
  const output = readShowFlags(cmd, flags);
  const profiles = await profilesOf(cmd);
  const current = profiles.current();
  const stored = profiles.names().map((name) => {
    const { baseUrl, keychain } = profiles.get(name) ?? {};
    const keyIn = keychain === undefined ? 'file' : 'keychain';
    return { name, baseUrl, current: name === current, keyIn };
  });
  const sandbox = { name: 'sandbox', baseUrl: null, current: current === 'sandbox', keyIn: null };
  const rows = [...stored, sandbox];
  await showPages(cmd, output, { resource: profile }, onePage(rows));
}

async function removeProfile(cmd: CommandContext, name: string): Promise<void> {
  if (isBuiltIn(name)) {
    throw usage('The sandbox is built in and has no key to remove.', {
      hint: 'To remove another profile, add its name. `cb profiles list` shows them.',
    });
  }
  const profiles = await profilesOf(cmd);
  const removed = await profiles.remove(name);
  if (!removed) throw unknownProfile(profiles, name);
  const isGone = await forgetKey(removed, (note) => cmd.messages.say(`note: ${note}`));
  cmd.messages.tell(`Removed profile '${name}'${isGone ? ' and its key' : ''}.`);
}
