/** `cb profiles …` and `cb logout` */
import { Argument, type Command } from 'commander';
import { newCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { teach } from '../help/lesson.ts';
import { forgetKept } from '../kept-key.ts';
import { isBuiltIn, profilesOf } from '../session.ts';
import { type Call, type CommonFlags, type Shell, shellFor } from '../shell.ts';
import { onePage, showPages } from '../show.ts';
import { addShowFlags, readShowFlags, type ShowFlags } from '../show-flags.ts';

export function addProfiles(group: Command, call: Call): void {
  const list = newCommand(call.context, 'list').description(
    'List the profiles, without their keys',
  );
  addShowFlags(list, { rows: true, pages: false, totals: false });
  list.action(async () => {
    const flags = list.optsWithGlobals<CommonFlags & ShowFlags>();
    await listProfiles(shellFor(call, flags), flags);
  });
  const use = newCommand(call.context, 'use')
    .description('Use a profile from now on; sandbox is one too')
    .addArgument(new Argument('<name>', 'Name of the profile'))
    .action((name: string) => useProfile(shellFor(call, use.optsWithGlobals()), name));
  const remove = newCommand(call.context, 'remove')
    .description('Forget a profile and its key')
    .addArgument(new Argument('<name>', 'Name of the profile'))
    .action((name: string) => removeProfile(shellFor(call, remove.optsWithGlobals()), name));
  teach(list, () => ({ examples: ['cb profiles list', 'cb profiles list -o json'] }));
  teach(use, () => ({ examples: ['cb profiles use work', 'cb profiles use sandbox'] }));
  teach(remove, () => ({ examples: ['cb profiles remove shop2'] }));
  for (const command of [list, use, remove]) group.addCommand(command);
  teach(group, () => ({ topics: ['credentials'] }));
}

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
const profile = {
  element: 'profile',
  headline: ['name', 'baseUrl', 'current', 'keyIn'],
  fields: {
    name: { kind: 'text', nillable: false },
    baseUrl: { kind: 'text', nillable: false },
    current: { kind: 'boolean', nillable: false },
    keyIn: { kind: 'text', nillable: true },
  },
} as const;

async function listProfiles(shell: Shell, flags: ShowFlags): Promise<void> {
  const showing = readShowFlags(shell, flags);
  const profiles = await profilesOf(shell);
  const current = profiles.current();
  const stored = profiles.names().map((name) => {
    const { baseUrl = null, keychain } = profiles.get(name) ?? {};
    const keyIn = keychain === undefined ? 'file' : 'keychain';
    return { name, baseUrl, current: name === current, keyIn };
  });
  const sandbox = { name: 'sandbox', baseUrl: null, current: current === 'sandbox', keyIn: null };
  const rows = [...stored, sandbox];
  await showPages(shell, showing, { resource: profile }, onePage(rows));
}

async function useProfile(shell: Shell, name: string): Promise<void> {
  const profiles = await profilesOf(shell);
  if (!isBuiltIn(name) && !profiles.get(name)) throw unknown(name, profiles.names());
  await profiles.use(name);
  shell.messages.tell(`profile '${name}' is used from now on`);
}

async function removeProfile(shell: Shell, name: string): Promise<void> {
  const profiles = await profilesOf(shell);
  const removed = await profiles.remove(name);
  if (!removed) throw unknown(name, profiles.names());
  const isGone = await forgetKept(shell, removed);
  shell.messages.tell(`forgot profile '${name}'${isGone ? ' and its key' : ''}`);
}

function unknown(name: string, known: readonly string[]): Failure {
  return new Failure(exitCodes.key, `there is no stored profile '${name}'`, {
    hint: known.length > 0 ? `there are: ${known.join(', ')}` : 'none is stored yet',
  });
}
