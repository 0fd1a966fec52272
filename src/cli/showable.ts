/** Holds what the user wants to see against what a resource has. */
import type { Resource } from '../operations/resource.ts';
import { usage } from './failure.ts';
import { nearest } from './nearest.ts';
import type { Showing } from './show-flags.ts';

/**
 * Throws for what could not be shown, before anything is sent: a field of `--fields` or a list of
 * `--expand` or `--spread` that there isn't, a `--query` that can't be read.
 */
export async function requireShowable(
  { fields = [], expand, spread, query }: Showing,
  resource: Resource,
): Promise<void> {
  if (query !== undefined) await (await import('../output/query.ts')).requireQuery(query);
  if (fields.length === 0 && expand === undefined && !spread) return;
  const [{ knownPaths }, { listPaths }] = await Promise.all([
    import('../output/columns.ts'),
    import('../output/expansion.ts'),
  ]);
  for (const path of fields) {
    if (!isKnown(resource, path.split('.'))) throw unknown('--fields', path, knownPaths(resource));
  }
  const lists = listPaths(resource);
  if (expand !== undefined && !lists.includes(expand)) throw unknown('--expand', expand, lists);
  if (spread && !lists.includes(spread.list)) throw unknown('--spread', spread.list, lists);
  requireSpreadList(fields, spread?.list);
}

/** Among chosen columns the list has its place only where it, or something in it, was chosen. */
function requireSpreadList(fields: readonly string[], list: string | undefined): void {
  if (list === undefined || fields.length === 0) return;
  if (fields.some((path) => path === list || path.startsWith(`${list}.`))) return;
  throw usage(`--spread ${list} needs ${list} in --fields`, {
    hint: `add ${list}, or fields of it as in ${list}.name`,
  });
}

/** An object whose fields the service does not fix may hold any. */
function isKnown({ fields }: Resource, [name = '', ...deeper]: readonly string[]): boolean {
  if (!Object.hasOwn(fields, name)) return Object.keys(fields).length === 0;
  const inner = fields[name]?.resource;
  return deeper.length === 0 || (inner !== undefined && isKnown(inner, deeper));
}

function unknown(flag: string, path: string, known: readonly string[]) {
  const near = nearest(path, known);
  const meant = near ? `did you mean ${near}? ` : '';
  return usage(`${flag} '${path}' is not known`, { hint: `${meant}known: ${known.join(', ')}` });
}
