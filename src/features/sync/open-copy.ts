/** Opens copies: to read them, or to sync. */

import { join } from 'node:path';
import { baseUrlIn, isBuiltIn } from '../../profiles/find-service.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure, usage } from '../../shell/failure.ts';
import { dataFolder, pathOf } from '../../shell/folders.ts';
import { profileNamed, type Session, sourceOf } from '../../shell/session/session.ts';
import { profilesOf } from '../../shell/session/stored-profiles.ts';
import { shellWord } from '../../shell/shell-word.ts';
import { openSqlite, openSqliteReader } from './database/sqlite.ts';
import { DestinationError, type Sql, type SqlReader } from './destination.ts';

/** Runs `work` with the copy of the asked service, or with the database that the user named, and closes it. */
export async function withCopy<T>(
  cmd: CommandContext,
  typed: string | undefined,
  work: (copy: SqlReader) => Promise<T>,
): Promise<T> {
  return withCopyAt(await placeOfCopy(cmd, typed), work);
}

/** The same, with the copy at a place. */
export async function withCopyAt<T>(
  place: CopyPlace,
  work: (copy: SqlReader) => Promise<T>,
): Promise<T> {
  const copy = await namingFile(place, openReader(place));
  try {
    return await work(copy);
  } finally {
    await copy.close();
  }
}

export async function placeOfCopy(
  cmd: CommandContext,
  typed: string | undefined,
): Promise<CopyPlace> {
  if (typed !== undefined) return placeFrom(cmd, typed);
  return { kind: 'sqlite', file: usualFile(cmd, await serviceOfCommand(cmd)) };
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

async function openReader(place: CopyPlace): Promise<SqlReader> {
  if (place.kind === 'sqlite') return openSqliteReader(place.file);
  const { openPostgresReader } = await loadPostgres();
  return openPostgresReader(place);
}

/** Without a copy in the file that the user named, the next command names the file too. */
export async function namingFile<T>({ typed }: CopyPlace, opened: Promise<T>): Promise<T> {
  try {
    return await opened;
  } catch (error) {
    const isMissing = error instanceof DestinationError && error.kind === 'missing';
    if (!isMissing || typed === undefined) throw error;
    const next = `cb sync ${shellWord(typed)}`;
    throw new Failure(exitCodes.key, error.message, { next, cause: error });
  }
}

interface SyncPlace {
  /** The schema in PostgreSQL; default: the one that the URL names. */
  readonly schema?: string | undefined;
}

/** Opens the database for a sync, and creates the file of SQLite. */
export async function openForSync(
  { context }: CommandContext,
  place: CopyPlace,
  { schema }: SyncPlace = {},
): Promise<Sql> {
  if (place.kind === 'sqlite') {
    return openSqlite({ file: place.file, processes: context.processes });
  }
  const { openPostgres } = await loadPostgres();
  return openPostgres({ url: place.url, schema: schema ?? place.schema });
}

/** The driver is large, and most copies are files. */
function loadPostgres() {
  return import('./database/postgres.ts');
}

export type CopyPlace = (
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema?: string | undefined }
) & {
  /** The file as the user named it. */
  readonly typed?: string;
};

/** Names the service of a session in a copy; the built-in sandbox has a different port each time. */
export function serviceLabel({ profile, baseUrl }: Pick<Session, 'profile' | 'baseUrl'>): string {
  return profile !== undefined && isBuiltIn(profile) ? 'the sandbox' : new URL(baseUrl).origin;
}

/** The file of the copy of a service, if the user names no other place. */
export function usualFile({ context }: CommandContext, service: string): string {
  const name = service.replace(/^https?:\/\/|^the /, '').replaceAll(/[^\w.]+/g, '-');
  return join(dataFolder(context), 'copies', `${name}.db`);
}

/** Reads what the user typed. Throws a usage failure. */
function placeFrom({ context }: CommandContext, typed: string): CopyPlace {
  if (/^postgres(?:ql)?:\/\//i.test(typed)) return { kind: 'postgres', ...postgresFrom(typed) };
  const [, path] = /^sqlite:(?:\/\/)?(.+)$/i.exec(typed) ?? [];
  if (path !== undefined) return { kind: 'sqlite', file: pathOf(context, path) };
  if (/^\w+:\/\//.test(typed)) {
    throw usage('The copy can be in SQLite or in PostgreSQL.', {
      hint: 'Use a file such as shop.db, or a URL such as postgres://localhost/shop.',
    });
  }
  if (!/[./\\]/.test(typed)) {
    throw usage(`Invalid database '${typed}'.`, {
      hint: `Use a file such as ${typed}.db, or a URL such as postgres://localhost/${typed}.`,
    });
  }
  return { kind: 'sqlite', file: pathOf(context, typed), typed };
}

/** `?schema=NAME` names the schema, in every command that takes a database. */
function postgresFrom(typed: string): { url: string; schema: string | undefined } {
  const [, name] = /[?&]schema=([^&#]+)/i.exec(typed) ?? [];
  return { url: typed, schema: name && decodeURIComponent(name) };
}

/** Throws a usage failure for a schema of a file. */
export function withSchema(place: CopyPlace, schema: string | undefined): CopyPlace {
  if (schema === undefined) return place;
  if (place.kind === 'postgres') return { ...place, schema };
  throw usage('--schema works only with PostgreSQL.', {
    hint: 'Name a database such as postgres://localhost/shop, or leave out --schema.',
  });
}
