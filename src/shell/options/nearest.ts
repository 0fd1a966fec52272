/** Finds the known word that a mistyped one most likely means. */
import { distance } from 'fastest-levenshtein';

/**
 * Returns undefined if no word is similar enough. Words of several parts, such as last-7-days, must be similar part
 * by part. Ignores case. A prefix or a part of exactly one known word stands for that word.
 */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const asked = typed.toLowerCase();
  const [best] = known
    .map((word) => ({ word, slips: slipsBetween(asked, word.toLowerCase()) }))
    .filter(({ word, slips }) => slips <= allowed(word) && isAlike(asked, word.toLowerCase()))
    .sort((a, b) => a.slips - b.slips);
  return best?.word ?? only(asked, known);
}

/** The hint about an unknown word: the known one that it most likely means, otherwise `others`. */
export function suggest(typed: string, known: readonly string[], others: string): string {
  const near = nearest(typed, known);
  return near ? `Did you mean ${near}?` : others;
}

/** The most similar known words, however different they are. */
export function mostAlike(typed: string, known: readonly string[], count: number): string[] {
  const asked = typed.toLowerCase();
  const slips = (word: string) => distance(asked, word.toLowerCase());
  return known.toSorted((a, b) => slips(a) - slips(b)).slice(0, count);
}

function allowed(word: string): number {
  const { length } = word.replace(/^-+/, '');
  return length < 3 ? 0 : length < 6 ? 1 : Math.max(2, Math.floor(length / 3));
}

/** Counts edits. Two adjacent letters that are swapped count as one. */
function slipsBetween(typed: string, word: string): number {
  const slips = distance(typed, word);
  if (slips !== 2 || typed.length !== word.length) return slips;
  const at = [...typed].findIndex((letter, i) => letter !== word[i]);
  const swapped = `${typed.slice(0, at)}${typed.charAt(at + 1)}${typed.charAt(at)}${typed.slice(at + 2)}`;
  return swapped === word ? 1 : slips;
}

/** Compares part by part: last-24-hours is not similar to last-24-years, although few letters differ. */
function isAlike(typed: string, word: string): boolean {
  const [parts, others] = [typed.split('-'), word.split('-')];
  if (parts.length !== others.length) return true;
  return others.every((other, i) => {
    const part = parts[i] ?? '';
    return slipsBetween(part, other) <= (/\d/.test(other) ? 0 : Math.max(1, allowed(other)));
  });
}

function only(asked: string, known: readonly string[]): string | undefined {
  const bare = asked.replace(/^-+/, '');
  const begun = known.filter((word) => word.toLowerCase().startsWith(asked));
  if (begun.length === 1 && bare.length > 2) return begun[0];
  const holding = known.filter((word) => word.toLowerCase().includes(bare));
  return holding.length === 1 && bare.length > 3 ? holding[0] : undefined;
}
