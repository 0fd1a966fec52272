/** Checks the output options as far as that is possible before anything is sent. */
import type { Resource } from '../../operations/resource.ts';
import { requireQuery } from '../../output/query.ts';
import { knownPaths } from '../../output/rows/columns.ts';
import { listPaths } from '../../output/rows/expansion.ts';
import { pathNamed } from '../../output/rows/field-names.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import { usage } from '../runtime/failure.ts';

/**
 * Throws a usage failure for an invalid `--query`, for options that exclude each other, and for `--expand` or
 * `--spread` with a known field that is not a list. Unknown names may be new fields of ClickBank: they are
 * checked against the first rows of the response.
 */
export function requireShowable(
  { fields = [], expand, spread, query }: OutputOptions,
  resource: Resource,
): void {
  if (query !== undefined) requireQuery(query);
  if (expand !== undefined) requireList('--expand', expand, resource);
  if (!spread) return;
  requireList('--spread', spread.list, resource);
  requireSpreadList(fields, spread.list, resource);
}

function requireList(flag: string, typed: string, resource: Resource): void {
  const lists = listPaths(resource);
  const path = pathNamed(typed, knownPaths(resource), resource);
  if (path === undefined || lists.includes(path)) return;
  throw usage(`${flag} '${typed}' is not a list.`, {
    hint: lists.length > 0 ? `The lists are: ${lists.join(', ')}.` : undefined,
  });
}

/** Selected columns include the list only if the list, or one of its fields, is among them. */
function requireSpreadList(fields: readonly string[], typed: string, resource: Resource): void {
  if (fields.length === 0) return;
  const known = knownPaths(resource);
  const list = pathNamed(typed, known, resource) ?? typed;
  const paths = fields.map((field) => pathNamed(field, known, resource) ?? field);
  if (paths.some((path) => path === list || path.startsWith(`${list}.`))) return;
  throw usage(`--spread ${list} requires ${list} in --fields.`, {
    hint: `Add ${list}, or fields of it such as ${list}.name.`,
  });
}
