/** The names of a field that options accept: its path in any case, its correct spelling, or its heading. */
import { sentence } from '../table/heading.ts';
import { fieldOf, type Shape, shapeAt } from './rows.ts';

/** Returns the path with the correct spelling of a name that the service misspells. */
export function spelledPath(path: string, shape: Shape | undefined): string {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const spelling = fieldOf(shapeAt(shape, keys), last)?.spelling;
  return spelling === undefined ? path : [...keys, spelling].join('.');
}

/** The heading of a field in a table of all fields. */
function headingAt(path: string, shape: Shape | undefined): string {
  const field = fieldOf(shape, path) ?? shape?.derived?.[path];
  const given = path.includes('.') ? undefined : field?.heading;
  return given ?? sentence(spelledPath(path, shape));
}

/** Returns the known path that a typed name stands for; undefined if there is none. */
export function pathNamed(
  typed: string,
  known: readonly string[],
  shape: Shape | undefined,
): string | undefined {
  const asked = typed.trim().toLowerCase();
  const isAsked = (name: string) => name.toLowerCase() === asked;
  return (
    known.find((path) => path === typed) ??
    known.find((path) => isAsked(path) || isAsked(spelledPath(path, shape))) ??
    known.find((path) => isAsked(headingAt(path, shape)))
  );
}
