/** Fields that appear when the header of a table of text is already written. */
import { unknownFields } from './columns.ts';
import type { RenderOptions } from './render-options.ts';
import type { Row } from './rows.ts';

/**
 * Watches pages for fields that neither the shape nor the first page knew, and tells each once. Nothing is
 * watched when nobody listens or the user chose the fields.
 */
export function watchFields(
  first: readonly Row[],
  { shape, fields, onLateFields }: RenderOptions,
): (page: readonly Row[]) => void {
  if (!onLateFields || fields) return () => {};
  const told = new Set(unknownFields(shape, first).map((keys) => keys.join('.')));
  return (page) => {
    const paths = unknownFields(shape, page).map((keys) => keys.join('.'));
    const late = paths.filter((path) => !told.has(path));
    for (const path of late) told.add(path);
    if (late.length > 0) onLateFields(late);
  };
}
