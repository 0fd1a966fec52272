/** Checks what the user wants to see, as far as it can be checked before anything is sent. */
import type { Resource } from '../../operations/resource.ts';
import { requireQuery } from '../../output/query.ts';
import { knownPaths } from '../../output/rows/columns.ts';
import { listPaths } from '../../output/rows/expansion.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import { usage } from '../runtime/failure.ts';

/**
 * Throws a usage failure for a `--query` that can't be read, for flags that exclude each other, and for a
 * `--expand` or `--spread` of a known field that is no list. Names that cb does not know may be new fields of
 * the service: they are checked against the first rows that come.
 */
export function requireShowable(
  { fields = [], expand, spread, query }: OutputOptions,
  resource: Resource,
): void {
  if (query !== undefined) requireQuery(query);
  if (expand !== undefined) requireList('--expand', expand, resource);
  if (!spread) return;
  requireList('--spread', spread.list, resource);
  requireSpreadList(fields, spread.list);
}

function requireList(flag: string, path: string, resource: Resource): void {
  const lists = listPaths(resource);
  if (lists.includes(path) || !knownPaths(resource).includes(path)) return;
  throw usage(`${flag} '${path}' is not a list.`, {
    hint: lists.length > 0 ? `The lists are: ${lists.join(', ')}.` : undefined,
  });
}

/** Among chosen columns the list has its place only where it, or something in it, was chosen. */
function requireSpreadList(fields: readonly string[], list: string): void {
  if (fields.length === 0) return;
  if (fields.some((path) => path === list || path.startsWith(`${list}.`))) return;
  throw usage(`--spread ${list} needs ${list} in --fields`, {
    hint: `add ${list}, or fields of it as in ${list}.name`,
  });
}
