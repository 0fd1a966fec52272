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

// The closest range decides: with json;q=0, the range for anything does not let JSON in again.
function preferenceFor(type: string, ranges: readonly Range[]): Preference {
  let best: Preference = { closeness: -1, quality: 0 };
  for (const range of ranges) {
    const fit = closeness(range.type, type);
    if (fit > best.closeness) best = { closeness: fit, quality: range.quality };
  }
  return best;
}

function isPreferred(one: Preference, other: Preference): boolean {
  if (one.quality !== other.quality) return one.quality > other.quality;
  return one.closeness > other.closeness;
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
  let best: (Preference & { type: string }) | undefined;
  for (const type of offered) {
    const preference = preferenceFor(type, ranges);
    if (preference.quality > 0 && (!best || isPreferred(preference, best))) {
      best = { type, ...preference };
    }
  }
  return best?.type;
}
