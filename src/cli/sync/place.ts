/** Where a copy is: a file of SQLite, or a PostgreSQL database. */
import { join } from 'node:path';
import { isBuiltIn } from '../../profiles/find-service.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { dataFolder, pathOf } from '../runtime/folders.ts';
import type { Session } from '../session/session.ts';

export type Place = (
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
export function placeFrom({ context }: CommandContext, typed: string): Place {
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
export function withSchema(place: Place, schema: string | undefined): Place {
  if (schema === undefined) return place;
  if (place.kind === 'postgres') return { ...place, schema };
  throw usage('--schema works only with PostgreSQL.', {
    hint: 'Name a database such as postgres://localhost/shop, or leave out --schema.',
  });
}
