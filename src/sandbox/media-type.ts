/** Which of the media types that an operation has the caller accepts. */

interface Range {
  readonly type: string;
  readonly quality: number;
}

function rangesOf(accept: string): Range[] {
  return accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((text) => text.startsWith('q='));
    return { type, quality: quality ? Number(quality.slice(2)) || 0 : 1 };
  });
}

/** 2 for the type itself, 1 for its family, 0 for anything; -1 for no fit. */
function closeness(range: string, type: string): number {
  if (range === type) return 2;
  if (range === `${type.split('/')[0]}/*`) return 1;
  return range === '*/*' ? 0 : -1;
}

/** How much a caller wants a type, and how exactly the Accept header names it. */
interface Preference {
  readonly quality: number;
  readonly closeness: number;
}

/** The closest range decides: with json;q=0, the range for anything does not let JSON in again. */
function preferenceFor(type: string, ranges: readonly Range[]): Preference {
  const [best] = ranges
    .map((range) => ({ quality: range.quality, closeness: closeness(range.type, type) }))
    .sort((a, b) => b.closeness - a.closeness);
  return best && best.closeness >= 0 ? best : { closeness: -1, quality: 0 };
}

/**
 * Returns the accepted media type of the highest quality, or undefined if none is accepted. Between
 * equal qualities, a type that the header names wins over one that only matches a wildcard. After that,
 * and without an Accept header, the first offered type wins: JAX-RS takes the first type of `@Produces`.
 */
export function negotiate(
  accept: string | undefined,
  offered: readonly string[],
): string | undefined {
  if (!accept?.trim()) return offered[0];
  const ranges = rangesOf(accept);
  const [best] = offered
    .map((type) => ({ type, preference: preferenceFor(type, ranges) }))
    .filter(({ preference }) => preference.quality > 0)
    .sort(
      ({ preference: a }, { preference: b }) => b.quality - a.quality || b.closeness - a.closeness,
    );
  return best?.type;
}
