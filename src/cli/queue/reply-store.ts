/** The saved replies of this user: a private file, locked while it is changed. */

import { makePrivateFolder, type Owner, readPrivate } from '../../profiles/private-file.ts';
import { readReplies, replyPath, writeReplies } from '../../workflows/queue/saved-replies.ts';
import { nearest } from '../flags/nearest.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { type Failure, usage } from '../runtime/failure.ts';
import { configFolder } from '../runtime/folders.ts';
import { lockInTurn } from '../runtime/lock.ts';

type Asking = Pick<CommandContext, 'context' | 'messages'>;

/** The texts by name, in the order of their names. */
export function repliesOf(cmd: Asking): ReadonlyMap<string, string> {
  const path = replyPath(configFolder(cmd.context));
  return readReplies({ path, read: () => readPrivate(path, ownerOf(cmd)) });
}

/** The text of a reply. Throws a usage failure if no reply has that name. */
export function replyNamed(cmd: Asking, name: string): string {
  const replies = repliesOf(cmd);
  const text = replies.get(name);
  if (text === undefined) throw unknownReply(name, replies);
  return text;
}

export function unknownReply(name: string, replies: ReadonlyMap<string, string>): Failure {
  const near = nearest(name, [...replies.keys()]);
  return usage(`There is no saved reply '${name}'.`, {
    hint: near ? `Did you mean ${near}?` : 'To list the replies, run `cb replies list`.',
  });
}

/** Replaces the replies by what `alter` returns. */
export async function changeReplies(
  cmd: Asking,
  alter: (before: ReadonlyMap<string, string>) => ReadonlyMap<string, string>,
): Promise<void> {
  const folder = configFolder(cmd.context);
  makePrivateFolder(folder, ownerOf(cmd));
  const path = replyPath(folder);
  const unlock = await lockInTurn(cmd.context, path);
  try {
    await writeReplies(path, alter(repliesOf(cmd)));
  } finally {
    await unlock();
  }
}

function ownerOf({ context, messages }: Asking): Owner {
  return {
    user: context.user,
    onExposed: (note) => messages.say(`warning: ${note}`),
  };
}
