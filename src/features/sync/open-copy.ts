/** Opens copies: to read them, or to sync. */

import { join } from 'node:path';
import { isBuiltIn } from '../../profiles/credentials.ts';
import { baseUrlIn } from '../../profiles/find-service.ts';
import type { CommandContext } from '../../shell/context.ts';
import { exitCodes, Failure, usage } from '../../shell/failure.ts';
import { dataFolder, pathOf } from '../../shell/folders.ts';
import { profileNamed, type Session, sourceOf } from '../../shell/session/session.ts';
import { profilesOf } from '../../shell/session/stored-profiles.ts';
import { serviceWords, shellWord } from '../../shell/shell-word.ts';
import { versionOf } from './database/schema.ts';
import { openSqlite, openSqliteReader } from './database/sqlite.ts';
import { DestinationError, missingCopy, type Sql, type SqlReader } from './destination.ts';

/** Runs `work` with a copy that exists, and closes it. Throws a Failure if there is none, and a DestinationError. */
export function withCopyAt<T>(place: CopyPlace, work: (copy: SqlReader) => Promise<T>): Promise<T> {
  // The driver of PostgreSQL is large, and most copies are files.
  const opening =
    place.kind === 'sqlite'
      ? openSqliteReader(place.file)
      : import('./database/postgres.ts').then((driver) => driver.openPostgresReader(place));
  const working = opening.then(async (copy) => {
    try {
      if ((await versionOf(copy)) === undefined) throw missingCopy(`in ${copy.label}`);
      return await work(copy);
    } finally {
      await copy.close();
    }
  });
  return sayingHow(place, working);
}

/** Where the copy of the asked service is, or the database that the user named. Throws a usage failure. */
export async function placeOfCopy(
  cmd: CommandContext,
  typed: string | undefined,
  schema?: string,
): Promise<CopyPlace> {
  const sync = ['cb', ...serviceWords(cmd), 'sync'].join(' ');
  const place: CopyPlace =
    typed === undefined
      ? { kind: 'sqlite', file: usualFile(cmd, await serviceOfCommand(cmd)), next: sync }
      : placeFrom(cmd, typed, sync);
  if (schema === undefined) return place;
  if (schema === '') throw usage("Invalid --schema ''.", { hint: 'Use the name of a schema.' });
  const next = `${place.next} --schema ${shellWord(schema)}`;
  if (place.kind === 'postgres') return { ...place, schema, next };
  throw usage('--schema works only with PostgreSQL.', {
    hint: 'Name a database such as postgres://localhost/shop, or leave out --schema.',
  });
}

/** The service that the command would ask, as a copy names it. No key is needed. */
async function serviceOfCommand(cmd: CommandContext): Promise<string> {
  const source = await sourceOf(cmd);
  if (source.kind === 'sandbox') return serviceLabel({ profile: 'sandbox', baseUrl: '' });
  const { env } = cmd.context;
  if (source.kind === 'environment' || source.name === undefined) {
    return serviceLabel({ profile: undefined, baseUrl: baseUrlIn(env) });
  }
  const { baseUrl } = profileNamed(await profilesOf(cmd), source.name);
  return serviceLabel({ profile: source.name, baseUrl });
}

/** Without a copy, the error says how to create it: in this file, for this service. */
export function sayingHow<T>({ next }: CopyPlace, working: Promise<T>): Promise<T> {
  return working.catch((error) => {
    if (!(error instanceof DestinationError && error.kind === 'missing')) throw error;
    throw new Failure(exitCodes.key, error.message, { next, cause: error });
  });
}

/** Opens the database for a sync, and creates the file of SQLite. */
export async function openForSync({ context }: CommandContext, place: CopyPlace): Promise<Sql> {
  if (place.kind === 'sqlite') return openSqlite(place.file, context.processes);
  const { openPostgres } = await import('./database/postgres.ts');
  return openPostgres(place);
}

export type CopyPlace = {
  /** The command that creates the copy there, or brings it up to date. */
  readonly next: string;
} & (
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema?: string | undefined }
);

/** Names the service of a session in a copy; the built-in sandbox has a different port each time. */
export function serviceLabel({ profile, baseUrl }: Pick<Session, 'profile' | 'baseUrl'>): string {
  return profile !== undefined && isBuiltIn(profile) ? 'the sandbox' : new URL(baseUrl).origin;
}

/** The file of the copy of a service, if the user names no other place. */
export function usualFile({ context }: CommandContext, service: string): string {
  const name = service.replace(/^https?:\/\/|^the /, '').replaceAll(/[^\w.]+/g, '-');
  return join(dataFolder(context), 'copies', `${name}.db`);
}

function placeFrom({ context }: CommandContext, typed: string, sync: string): CopyPlace {
  if (/^postgres(?:ql)?:\/\//i.test(typed)) {
    // `?schema=NAME` names the schema, in every command that takes a database.
    const [, parameters = ''] = typed.split('?');
    const schema = new URLSearchParams(parameters).get('schema') || undefined;
    // A URL may have a password.
    return { kind: 'postgres', url: typed, schema, next: `${sync} URL` };
  }
  const next = `${sync} ${shellWord(typed)}`;
  const [, path] = /^sqlite:(?:\/\/)?(.+)$/i.exec(typed) ?? [];
  if (path !== undefined) return { kind: 'sqlite', file: pathOf(context, path), next };
  // Unlike the drive of a path on Windows, a scheme has several letters.
  if (/^\w\w+:/.test(typed)) {
    throw usage('The copy can be in SQLite or in PostgreSQL.', {
      hint: 'Use a file such as shop.db, or a URL such as postgres://localhost/shop.',
    });
  }
  if (!/[./\\]/.test(typed)) {
    const name = typed || 'shop';
    throw usage(`Invalid database '${typed}'.`, {
      hint: `Use a file such as ${name}.db, or a URL such as postgres://localhost/${name}.`,
    });
  }
  return { kind: 'sqlite', file: pathOf(context, typed), next };
}
