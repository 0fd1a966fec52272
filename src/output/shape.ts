/** Looking things up in a shape. */
import type { Shape } from './rows.ts';

/** The shape of the object at a path, or of each element of the list there. */
export function shapeAt(shape: Shape | undefined, keys: readonly string[]): Shape | undefined {
  return keys.reduce<Shape | undefined>((outer, key) => {
    const isKnown = outer !== undefined && Object.hasOwn(outer.fields, key);
    return isKnown ? outer.fields[key]?.resource : undefined;
  }, shape);
}
