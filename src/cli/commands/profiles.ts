/** `cb profiles …` and `cb logout` */
import type { Command } from 'commander';
import { boolean, nillable, resource, text } from '../../operations/resource.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import { onePage, showPages } from '../display/show.ts';
import { readShowFlags } from '../flags/show-flags.ts';
import { teach } from '../help/lesson.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure } from '../runtime/failure.ts';
import { type Call, type CommonFlags, type Shell, shellFor } from '../runtime/shell.ts';
import { profileNamed, profilesOf, unknownProfile } from '../session/session.ts';
import { addLocalCommands, type LocalCall, type LocalCommand } from './local-command.ts';

export function addProfiles(group: Command, call: Call): void {
  addLocalCommands(group, call, commands);
  teach(group, () => ({ topics: ['credentials'] }));
}

const args = { name: 'Name of the profile' };

const commands: readonly LocalCommand[] = [
  {
    name: 'list',
    summary: 'List the profiles, without their keys',
    prints: 'rows',
    examples: ['cb profiles list', 'cb profiles list -o json'],
    run: listProfiles,
  },
  {
    name: 'use',
    summary: 'Use a profile from now on; sandbox is one too',
    args,
    examples: ['cb profiles use work', 'cb profiles use sandbox'],
    async run({ shell }, name = '') {
      const profiles = await profilesOf(shell);
      if (!isBuiltIn(name)) profileNamed(profiles, name);
      await profiles.use(name);
      shell.messages.tell(`profile '${name}' is used from now on`);
    },
  },
  {
    name: 'remove',
    summary: 'Forget a profile and its key',
    args,
    examples: ['cb profiles remove shop2'],
    run: ({ shell }, name = '') => removeProfile(shell, name),
  },
];

export function buildLogout(command: Command, call: Call): void {
  command.action(async () => {
    const flags = command.optsWithGlobals<CommonFlags>();
    const shell = shellFor(call, flags);
    const name = flags.profile ?? (await profilesOf(shell)).current();
    if (name === undefined) throw new Failure(exitCodes.key, 'there is no stored key');
    await removeProfile(shell, name);
  });
  teach(command, () => ({
    examples: ['cb logout', 'cb logout --profile shop2'],
    topics: ['credentials'],
  }));
}

/** What `cb profiles list` shows of a profile. */
const profile = resource('profile', ['name', 'baseUrl', 'current', 'keyIn'], {
  name: text,
  baseUrl: text,
  current: boolean,
  keyIn: nillable(text),
});

async function listProfiles({ shell, flags }: LocalCall): Promise<void> {
  const showing = readShowFlags(shell, flags);
  const profiles = await profilesOf(shell);
  const current = profiles.current();
  const stored = profiles.names().map((name) => {
    const { baseUrl, keychain } = profiles.get(name) ?? {};
    const keyIn = keychain === undefined ? 'file' : 'keychain';
    return { name, baseUrl, current: name === current, keyIn };
  });
  const sandbox = { name: 'sandbox', baseUrl: null, current: current === 'sandbox', keyIn: null };
  const rows = [...stored, sandbox];
  await showPages(shell, showing, { resource: profile }, onePage(rows));
}

async function removeProfile(shell: Shell, name: string): Promise<void> {
  const profiles = await profilesOf(shell);
  const removed = await profiles.remove(name);
  if (!removed) throw unknownProfile(profiles, name);
  const { forgetKey } = await import('../../profiles/stored-key.ts');
  const isGone = await forgetKey(removed, (note) => shell.messages.say(`note: ${note}`));
  shell.messages.tell(`forgot profile '${name}'${isGone ? ' and its key' : ''}`);
}
