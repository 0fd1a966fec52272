/** `cb config …`: the settings of a profile. */
import { boolean, resource, text } from '../../operations/resource.ts';
import { isBuiltIn } from '../../profiles/credentials.ts';
import type { CommandContext } from '../../shell/context.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { exitCodes, Failure } from '../../shell/failure.ts';
import { namedProfile, profileNamed } from '../../shell/session/session.ts';
import {
  settingFrom,
  settingNamed,
  settingNames,
  settingOf,
  settings,
} from '../../shell/session/settings.ts';
import { profilesOf, selectedProfile } from '../../shell/session/stored-profiles.ts';

const setting = resource('setting', ['name', 'value', 'isSet', 'summary'], {
  ...{ name: text, value: text, isSet: boolean, summary: text },
});

const name = { '<name>': `Name of the setting: ${settingNames.join(', ')}` };
const obeys = ['--profile'] as const;

const list = command({
  words: 'config list',
  summary: 'List the settings of a profile',
  rows: setting,
  help: { examples: ['cb config list', 'cb config list --profile work'], obeys },
  async run(cmd) {
    const stored = await profileInUse(cmd);
    return settingNames.map((name) => {
      const { value, isSet } = settingOf(name, stored.settings);
      return { name, value, isSet, summary: settings[name].summary };
    });
  },
});

const get = command({
  words: 'config get',
  summary: 'Print the value of a setting',
  args: name,
  value: true,
  help: { examples: ['cb config get pace'], obeys },
  async run(cmd, { name: typed }) {
    const name = settingNamed(typed);
    const stored = await profileInUse(cmd);
    return settingOf(name, stored.settings).value;
  },
});

const set = command({
  words: 'config set',
  summary: 'Change a setting of a profile',
  args: { ...name, '<value>': 'New value' },
  help: {
    examples: ['cb config set pace 4', 'cb config set pager off --profile work'],
    effect: 'writes',
    obeys,
  },
  async run(cmd, { name: typed, value: typedValue }) {
    const name = settingNamed(typed);
    const value = settingFrom(name, typedValue);
    const stored = await profileInUse(cmd);
    await stored.profiles.adjust(stored.name, name, value);
    cmd.messages.tell(`Set ${name} to ${value} for profile '${stored.name}'.`);
  },
});

const unset = command({
  words: 'config unset',
  summary: 'Reset a setting to its default',
  args: name,
  help: { examples: ['cb config unset pace'], effect: 'writes', obeys },
  async run(cmd, { name: typed }) {
    const name = settingNamed(typed);
    const stored = await profileInUse(cmd);
    await stored.profiles.adjust(stored.name, name, undefined);
    const standard = settings[name].standard || 'none';
    cmd.messages.tell(`Set ${name} to its default, ${standard}, for profile '${stored.name}'.`);
  },
});

const path = command({
  words: 'config path',
  summary: 'Print the path of the configuration file',
  value: true,
  help: { examples: ['cb config path'], obeys },
  run: async (cmd) => (await profilesOf(cmd)).file,
});

export const config: GroupSpec = {
  words: 'config',
  help: {
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
  },
  commands: [list, get, set, unset, path],
};

async function profileInUse(cmd: CommandContext) {
  const profiles = await profilesOf(cmd);
  const name = namedProfile(cmd.flags) ?? selectedProfile(cmd.context, profiles);
  if (name === undefined) {
    const hint = 'Settings belong to a profile. Add --sandbox for those of the sandbox.';
    throw new Failure(exitCodes.key, 'There is no profile yet.', { hint, next: 'cb login' });
  }
  if (isBuiltIn(name)) return { name, profiles, settings: profiles.settingsOf(name) };
  return { name, profiles, settings: profileNamed(profiles, name).settings };
}
