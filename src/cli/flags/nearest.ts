/** The known word that a mistyped one most likely meant. */
import { distance } from 'fastest-levenshtein';

/** Undefined if none is similar enough. Ignores case; a part of exactly one known word stands for that word. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const asked = typed.toLowerCase();
  const ranked = known
    .map((word) => ({ word, slips: distance(asked, word.toLowerCase()) }))
    .filter(
      ({ word, slips }) => slips <= Math.max(word.length > 4 ? 2 : 1, Math.floor(word.length / 3)),
    )
    .sort((a, b) => a.slips - b.slips);
  const [whole, ...others] = known.filter((word) => word.toLowerCase().includes(asked));
  const isPart = asked.length > 3 && others.length === 0;
  return ranked[0]?.word ?? (isPart ? whole : undefined);
}

/** The most similar known words, however different they are. */
export function mostAlike(typed: string, known: readonly string[], count: number): string[] {
  const asked = typed.toLowerCase();
  const slips = (word: string) => distance(asked, word.toLowerCase());
  return known.toSorted((a, b) => slips(a) - slips(b)).slice(0, count);
}
