/** The stored profiles of a command. A separate file, because completion needs no client. */
import { openProfiles, type Profiles } from '../../profiles/credentials.ts';
import type { CommandContext } from '../command-context.ts';
import { configFolder } from '../folders.ts';
import { lockInTurn } from '../lock.ts';
import { messagesOf } from '../messages.ts';

export async function profilesOf({ context }: Pick<CommandContext, 'context'>): Promise<Profiles> {
  return openProfiles({
    folder: configFolder(context),
    user: context.user,
    lock: async (path) => lockInTurn(context, path),
    onExposed: (note) => messagesOf(context).say(`warning: ${note}`),
  });
}
