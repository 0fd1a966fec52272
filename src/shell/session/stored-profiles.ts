/** The stored profiles of a command. A separate file, because completion needs no client. */
import { openProfiles, type Profiles, type Settings } from '../../profiles/credentials.ts';
import type { Place } from '../../profiles/private-file.ts';
import { type CommandContext, type Context, messagesOf } from '../context.ts';
import { configFolder } from '../folders.ts';
import { lockInTurn } from '../lock.ts';

/** The name of the profile that a command uses; undefined if its key is in CB_API_KEY, or if there is no profile. */
export async function profileInUse(cmd: CommandContext): Promise<string | undefined> {
  const { flags, context } = cmd;
  const named = flags.sandbox ? 'sandbox' : flags.profile;
  if (named !== undefined || context.env.CB_API_KEY !== undefined) return named;
  return selectedProfile(context, await profilesOf(cmd));
}

/** The name of the profile for commands whose options name none, whether or not CB_API_KEY is set. */
export function selectedProfile({ env }: Pick<Context, 'env'>, profiles: Profiles) {
  return env.CB_PROFILE ?? profiles.current();
}

/** The settings of a profile that were set; none for a key of the environment. */
export async function settingsOf(
  cmd: CommandContext,
  profile: string | undefined,
): Promise<Settings> {
  return profile === undefined ? {} : (await profilesOf(cmd)).settingsOf(profile);
}

export async function profilesOf({ context }: Pick<CommandContext, 'context'>): Promise<Profiles> {
  return openProfiles(privatePlace({ context }));
}

/** Where the private files of this user are. */
export function privatePlace({ context }: Pick<CommandContext, 'context'>): Place {
  return {
    folder: configFolder(context),
    user: context.user,
    lock: async (path) => lockInTurn(context, path),
    onExposed: (note) => messagesOf(context).say(`warning: ${note}`),
  };
}
