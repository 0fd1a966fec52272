/** `cb config …`: the settings of a profile. */
import type { Command } from 'commander';
import { boolean, resource, text } from '../../operations/resource.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import { onePage, showPages, showValue } from '../display/show.ts';
import { readShowFlags } from '../flags/show-flags.ts';
import { addHelp } from '../help/help-text.ts';
import type { Call, CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure, usage } from '../runtime/failure.ts';
import { profileNamed } from '../session/session.ts';
import {
  settingFrom,
  settingNamed,
  settingNames,
  settingOf,
  settings,
} from '../session/settings.ts';
import { profilesOf } from '../session/stored-profiles.ts';
import { addLocalCommands, type LocalCommand } from './local-command.ts';

export function addConfig(group: Command, call: Call): void {
  addHelp(group, () => ({
    notes: [
      'Settings:',
      Object.fromEntries(settingNames.map((name) => [name, settings[name].summary])),
      'Settings belong to the current profile, or to the one that --profile names.',
    ],
    examples: [
      'cb config list -o json',
      'cb config set pace 4 --profile work',
      'cb config unset pace',
    ],
    topics: ['environment', 'credentials'],
  }));
  addLocalCommands(group, call, commands, ['--profile']);
}

const setting = resource('setting', ['name', 'value', 'isSet', 'summary'], {
  name: text,
  value: text,
  isSet: boolean,
  summary: text,
});

const name = `Name of the setting: ${settingNames.join(', ')}`;

const commands: readonly LocalCommand[] = [
  {
    name: 'list',
    summary: 'List the settings of a profile',
    prints: 'rows',
    examples: ['cb config list', 'cb config list --profile work'],
    async run(cmd, flags) {
      const output = readShowFlags(cmd, flags);
      const stored = await profileInUse(cmd);
      const rows = settingNames.map((name) => {
        const { value, isSet } = settingOf(name, stored.settings);
        return { name, value, isSet, summary: settings[name].summary };
      });
      await showPages(cmd, output, { resource: setting }, onePage(rows));
    },
  },
  {
    name: 'get',
    summary: 'Print the value of a setting',
    args: { name },
    prints: 'value',
    examples: ['cb config get pace'],
    async run(cmd, flags, typed) {
      const output = readShowFlags(cmd, flags);
      const name = settingNamed(typed);
      const stored = await profileInUse(cmd);
      await showValue(cmd, output, settingOf(name, stored.settings).value);
    },
  },
  {
    name: 'set',
    summary: 'Change a setting of a profile',
    effect: 'writes',
    args: { name, value: 'New value' },
    examples: ['cb config set pace 4', 'cb config set history off --profile work'],
    async run(cmd, _, typed, typedValue) {
      const name = settingNamed(typed);
      const value = settingFrom(name, typedValue);
      const stored = await profileInUse(cmd);
      await stored.profiles.adjust(stored.name, name, value);
      cmd.messages.tell(`Set ${name} to ${value} for profile '${stored.name}'.`);
    },
  },
  {
    name: 'unset',
    summary: 'Reset a setting to its default',
    effect: 'writes',
    args: { name },
    examples: ['cb config unset pace'],
    async run(cmd, _, typed) {
      const name = settingNamed(typed);
      const stored = await profileInUse(cmd);
      await stored.profiles.adjust(stored.name, name, undefined);
      const { standard } = settings[name];
      cmd.messages.tell(`Set ${name} to its default, ${standard}, for profile '${stored.name}'.`);
    },
  },
  {
    name: 'path',
    summary: 'Print the path of the configuration file',
    prints: 'value',
    examples: ['cb config path'],
    async run(cmd, flags) {
      const { file } = await profilesOf(cmd);
      await showValue(cmd, readShowFlags(cmd, flags), file);
    },
  },
];

async function profileInUse(cmd: CommandContext) {
  const { flags, context } = cmd;
  const profiles = await profilesOf(cmd);
  const named = flags.sandbox ? 'sandbox' : (flags.profile ?? context.env.CB_PROFILE);
  const name = named ?? profiles.current();
  if (name === undefined) {
    throw new Failure(exitCodes.key, 'There is no profile to store settings in.', {
      next: 'cb login',
    });
  }
  if (isBuiltIn(name)) {
    throw usage('The sandbox is built in and has no settings.', {
      hint: 'Name a stored profile with --profile.',
    });
  }
  return { name, profiles, settings: profileNamed(profiles, name).settings };
}
