/** `cb profiles …` and `cb logout` */
import { boolean, nillable, resource, text } from '../../operations/resource.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import { forgetKey } from '../../profiles/keychain.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure, usage } from '../../shell/failure.ts';
import { profileNamed, unknownProfile } from '../../shell/session/session.ts';
import { profilesOf } from '../../shell/session/stored-profiles.ts';

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
    const stored = profiles.names().map((name) => {
      const { baseUrl, keychain } = profiles.get(name) ?? {};
      return { name, baseUrl, keyIn: keychain === undefined ? 'file' : 'keychain' };
    });
    const all = [...stored, { name: 'sandbox', baseUrl: null, keyIn: null }];
    return all.map(({ keyIn, ...one }) => {
      return { ...one, current: one.name === profiles.current(), keyIn };
    });
  },
});

const use = command({
  words: 'profiles use',
  summary: 'Select the current profile',
  args,
  help: { examples: ['cb profiles use work', 'cb profiles use sandbox'], effect: 'writes' },
  async run(cmd, { name }) {
    const profiles = await profilesOf(cmd);
    if (!isBuiltIn(name)) profileNamed(profiles, name);
    await profiles.use(name);
    cmd.messages.tell(`Profile '${name}' is now the current profile.`);
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
  async run(cmd, { profile }) {
    const name = profile ?? (await profilesOf(cmd)).current();
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
