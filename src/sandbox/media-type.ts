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

// The closest range decides: with json;q=0, the range for anything doesn't let JSON in again.
function qualityOf(type: string, ranges: readonly Range[]): number {
  let best = { closeness: -1, quality: 0 };
  for (const range of ranges) {
    const fit = closeness(range.type, type);
    if (fit > best.closeness) best = { closeness: fit, quality: range.quality };
  }
  return best.quality;
}

/**
 * The accepted media type of highest quality, or undefined where none is. Without an Accept header,
 * and between equals, it is the first one offered: JAX-RS takes the first type of `@Produces`.
 */
export function negotiate(
  accept: string | undefined,
  offered: readonly string[],
): string | undefined {
  if (!accept?.trim()) return offered[0];
  const ranges = rangesOf(accept);
  let best: { type: string; quality: number } | undefined;
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  return best?.type;
}
