/** Content negotiation: the media type of a response by the Accept header. */

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

/** Returns 2 for an exact match, 1 for `type/*`, 0 for any type, and -1 for no match. */
function closeness(range: string, type: string): number {
  if (range === type) return 2;
  if (range === `${type.split('/')[0]}/*`) return 1;
  return range === '*/*' ? 0 : -1;
}

/** The quality of a type in the Accept header, and how specific its range is. */
interface Preference {
  readonly quality: number;
  readonly closeness: number;
}

/** The most specific range decides: `application/json;q=0` excludes JSON even if a wildcard allows it. */
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
