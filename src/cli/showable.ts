/** Holds what the user wants to see against what a resource has. */
import type { Field, Resource } from '../operations/resource.ts';
import { usage } from './failure.ts';
import { nearest } from './nearest.ts';
import type { Showing } from './show-flags.ts';

/**
 * Throws for what could not be shown, before anything is sent: a field of `--fields` or a list of
 * `--expand` that there isn't, a `--query` that can't be read.
 */
export async function requireShowable(
  { fields = [], expand, query }: Showing,
  resource: Resource,
): Promise<void> {
  if (query !== undefined) await (await import('../output/query.ts')).requireQuery(query);
  if (fields.length === 0 && expand === undefined) return;
  const { knownPaths } = await import('../output/columns.ts');
  const known = knownPaths(resource);
  for (const path of fields) {
    if (!isKnown(resource, path.split('.'))) throw unknown('--fields', path, known);
  }
  if (expand === undefined || fieldAt(resource, expand.split('.'))?.kind === 'list') return;
  const lists = known.filter((path) => fieldAt(resource, path.split('.'))?.kind === 'list');
  throw unknown('--expand', expand, lists);
}

/** An object whose fields the service does not fix may hold any. */
function isKnown({ fields }: Resource, [name = '', ...deeper]: readonly string[]): boolean {
  if (!Object.hasOwn(fields, name)) return Object.keys(fields).length === 0;
  const inner = fields[name]?.resource;
  return deeper.length === 0 || (inner !== undefined && isKnown(inner, deeper));
}

function fieldAt(
  { fields }: Resource,
  [name = '', ...deeper]: readonly string[],
): Field | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (deeper.length === 0) return field;
  return field?.resource && fieldAt(field.resource, deeper);
}

function unknown(flag: string, path: string, known: readonly string[]) {
  const near = nearest(path, known);
  const meant = near ? `did you mean ${near}? ` : '';
  return usage(`${flag} '${path}' is not known`, { hint: `${meant}known: ${known.join(', ')}` });
}
