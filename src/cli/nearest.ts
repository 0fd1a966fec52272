/** The known word that a mistyped one most likely meant. */
import { distance } from 'fastest-levenshtein';

/** Undefined when none is near enough: two letters swapped are two slips. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((word) => ({ word, slips: distance(typed, word) }))
    .filter(
      ({ word, slips }) => slips <= Math.max(word.length > 4 ? 2 : 1, Math.floor(word.length / 3)),
    )
    .sort((a, b) => a.slips - b.slips);
  return ranked[0]?.word;
}
