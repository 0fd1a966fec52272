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

/** The most specific range decides: `application/json;q=0` excludes JSON even if a wildcard allows it. */
function preferenceFor(type: string, ranges: readonly Range[]) {
  const [best = { quality: 0, closeness: -1 }] = ranges
    .map((range) => ({ quality: range.quality, closeness: closeness(range.type, type) }))
    .filter((preference) => preference.closeness >= 0)
    .sort((a, b) => b.closeness - a.closeness);
  return { type, ...best };
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
    .map((type) => preferenceFor(type, ranges))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || b.closeness - a.closeness);
  return best?.type;
}
