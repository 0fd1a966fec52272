/** `cb profiles …` and `cb logout` */
import { Argument, type Command } from 'commander';
import { newCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
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
  for (const command of [list, use, remove]) group.addCommand(command);
}

export function buildLogout(command: Command, call: Call): void {
  command
    .addHelpText('after', '\nExamples:\n  cb logout\n  cb logout --profile shop2\n')
    .action(async () => {
      const flags = command.optsWithGlobals<CommonFlags>();
      const shell = shellFor(call, flags);
      const name = flags.profile ?? (await profilesOf(shell)).current();
      if (name === undefined) throw new Failure(exitCodes.key, 'there is no stored key');
      await removeProfile(shell, name);
    });
}

/** What `cb profiles list` shows of a profile. */
const profile = {
  element: 'profile',
  headline: ['name', 'baseUrl', 'current'],
  fields: {
    name: { kind: 'text', nillable: false },
    baseUrl: { kind: 'text', nillable: false },
    current: { kind: 'boolean', nillable: false },
  },
} as const;

async function listProfiles(shell: Shell, flags: ShowFlags): Promise<void> {
  const showing = readShowFlags(shell, flags);
  const profiles = await profilesOf(shell);
  const current = profiles.current();
  const stored = profiles.names().map((name) => ({
    name,
    baseUrl: profiles.get(name)?.baseUrl ?? null,
    current: name === current,
  }));
  const rows = [...stored, { name: 'sandbox', baseUrl: null, current: current === 'sandbox' }];
  await showPages(shell, showing, { resource: profile }, onePage(rows));
}

async function useProfile(shell: Shell, name: string): Promise<void> {
  const profiles = await profilesOf(shell);
  if (!isBuiltIn(name) && !profiles.get(name)) throw unknown(name, profiles.names());
  profiles.use(name);
  shell.messages.tell(`profile '${name}' is used from now on`);
}

async function removeProfile(shell: Shell, name: string): Promise<void> {
  const profiles = await profilesOf(shell);
  if (!profiles.remove(name)) throw unknown(name, profiles.names());
  shell.messages.tell(`forgot profile '${name}' and its key`);
}

function unknown(name: string, known: readonly string[]): Failure {
  return new Failure(exitCodes.key, `there is no stored profile '${name}'`, {
    hint: known.length > 0 ? `there are: ${known.join(', ')}` : 'none is stored yet',
  });
}
