/** `cb config …`: the settings of a profile */
import { Argument, type Command } from 'commander';
import type { Profiles, Settings } from '../../api/credentials.ts';
import { newCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure, usage } from '../failure.ts';
import { teach } from '../help/lesson.ts';
import { isBuiltIn, profilesOf } from '../session.ts';
import { type SettingName, settingFrom, settingNamed, settingOf, settings } from '../settings.ts';
import { type Call, type CommonFlags, type Shell, shellFor } from '../shell.ts';
import { onePage, showPages, showValue } from '../show.ts';
import { addShowFlags, readShowFlags, type ShowFlags } from '../show-flags.ts';

const names = Object.keys(settings) as SettingName[];

export function addConfig(group: Command, call: Call): void {
  teach(group, () => ({
    notes: [
      'Settings:',
      Object.fromEntries(names.map((name) => [name, settings[name].summary])),
      'They belong to the profile in use, or to the one named with --profile.',
    ],
    examples: [
      'cb config list -o json',
      'cb config set pace 4 --profile work',
      'cb config unset pace',
    ],
    topics: ['environment', 'credentials'],
  }));
  addList(group, call);
  addGet(group, call);
  addSet(group, call);
  addUnset(group, call);
  addPath(group, call);
}

function addList(group: Command, call: Call): void {
  const command = newCommand(call.context, 'list').description('List all settings of a profile');
  addShowFlags(command, { rows: true, pages: false, totals: false });
  command.action(async () => {
    const flags = command.optsWithGlobals<CommonFlags & ShowFlags>();
    await listSettings(shellFor(call, flags), flags);
  });
  teach(command, () => ({ examples: ['cb config list', 'cb config list --profile work'] }));
  group.addCommand(command);
}

/** What `cb config list` shows of a setting. */
const setting = {
  element: 'setting',
  headline: ['name', 'value', 'isSet', 'summary'],
  fields: {
    name: { kind: 'text', nillable: false },
    value: { kind: 'text', nillable: false },
    isSet: { kind: 'boolean', nillable: false },
    summary: { kind: 'text', nillable: false },
  },
} as const;

async function listSettings(shell: Shell, flags: ShowFlags): Promise<void> {
  const showing = readShowFlags(shell, flags);
  const stored = await askedProfile(shell);
  const rows = names.map((name) => {
    const { value, isSet } = settingOf(name, stored.settings);
    return { name, value, isSet, summary: settings[name].summary };
  });
  await showPages(shell, showing, { resource: setting }, onePage(rows));
}

function addGet(group: Command, call: Call): void {
  const command = newCommand(call.context, 'get')
    .description('Print what holds for a setting, set or not')
    .addArgument(nameArgument());
  addShowFlags(command, { rows: false, pages: false, totals: false });
  command.action(async (typed: string) => {
    const flags = command.optsWithGlobals<CommonFlags & ShowFlags>();
    const shell = shellFor(call, flags);
    const showing = readShowFlags(shell, flags);
    const name = settingNamed(typed);
    const stored = await askedProfile(shell);
    await showValue(shell, showing, settingOf(name, stored.settings).value);
  });
  teach(command, () => ({ examples: ['cb config get pace'] }));
  group.addCommand(command);
}

function addSet(group: Command, call: Call): void {
  const command = newCommand(call.context, 'set')
    .description('Set a setting of a profile')
    .addArgument(nameArgument())
    .addArgument(new Argument('<value>', 'Its value'))
    .action(async (typed: string, typedValue: string) => {
      const shell = shellFor(call, command.optsWithGlobals());
      const name = settingNamed(typed);
      const value = settingFrom(name, typedValue);
      const stored = await askedProfile(shell);
      await stored.profiles.adjust(stored.name, name, value);
      shell.messages.tell(`${name} of profile '${stored.name}' is ${value} from now on`);
    });
  teach(command, () => ({
    examples: ['cb config set pace 4', 'cb config set history off --profile work'],
  }));
  group.addCommand(command);
}

function addUnset(group: Command, call: Call): void {
  const command = newCommand(call.context, 'unset')
    .description('Forget what was set, so that the default holds')
    .addArgument(nameArgument())
    .action(async (typed: string) => {
      const shell = shellFor(call, command.optsWithGlobals());
      const name = settingNamed(typed);
      const stored = await askedProfile(shell);
      await stored.profiles.adjust(stored.name, name, undefined);
      const { standard } = settings[name];
      shell.messages.tell(`${name} of profile '${stored.name}' is ${standard} from now on`);
    });
  teach(command, () => ({ examples: ['cb config unset pace'] }));
  group.addCommand(command);
}

function addPath(group: Command, call: Call): void {
  const command = newCommand(call.context, 'path').description(
    'Print the file that holds profiles and settings',
  );
  addShowFlags(command, { rows: false, pages: false, totals: false });
  command.action(async () => {
    const flags = command.optsWithGlobals<CommonFlags & ShowFlags>();
    const shell = shellFor(call, flags);
    const { file } = await profilesOf(shell);
    await showValue(shell, readShowFlags(shell, flags), file);
  });
  teach(command, () => ({ examples: ['cb config path'] }));
  group.addCommand(command);
}

function nameArgument(): Argument {
  return new Argument('<name>', `Name of the setting: ${names.join(', ')}`);
}

interface Stored {
  readonly name: string;
  readonly profiles: Profiles;
  readonly settings: Settings | undefined;
}

/** The stored profile whose settings are meant: flag, then environment, then the current one. */
async function askedProfile(shell: Shell): Promise<Stored> {
  const { flags, context } = shell;
  const profiles = await profilesOf(shell);
  const named = flags.sandbox ? 'sandbox' : (flags.profile ?? context.env.CB_PROFILE);
  const name = named ?? profiles.current();
  if (name === undefined) {
    throw new Failure(exitCodes.key, 'there is no profile yet whose settings these could be', {
      next: 'cb login',
    });
  }
  if (isBuiltIn(name)) {
    throw usage('the sandbox is built in and has no settings', {
      hint: 'name a stored profile with --profile',
    });
  }
  const profile = profiles.get(name);
  if (!profile) throw unknownProfile(name, profiles.names());
  return { name, profiles, settings: profile.settings };
}

function unknownProfile(name: string, known: readonly string[]): Failure {
  return new Failure(exitCodes.key, `there is no stored profile '${name}'`, {
    hint: known.length > 0 ? `there are: ${known.join(', ')}` : 'none is stored yet',
  });
}
