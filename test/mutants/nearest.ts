/** Which tests import a file of src, directly or through others. */
import { importsOf, type Sources } from '../support/structure.ts';

/** Imports between a test and the file; further tests run most of cb and are named by the areas. */
const furthest = 2;

/** The nearest test files first, those of the same distance by name. */
export function nearestTests(sources: Sources, most: number): (file: string) => readonly string[] {
  const importers = new Map<string, string[]>();
  for (const { from, to } of importsOf(sources)) {
    importers.set(to, [...(importers.get(to) ?? []), from]);
  }
  return (file) => {
    const tests: string[] = [];
    const seen = new Set([file]);
    let reached = [file];
    for (let distance = 1; distance <= furthest; distance += 1) {
      const next = reached.flatMap((one) => importers.get(one) ?? []);
      reached = [...new Set(next)].filter((one) => !seen.has(one));
      for (const one of reached) seen.add(one);
      tests.push(...reached.filter((one) => one.endsWith('.test.ts')).sort());
    }
    return tests.slice(0, most);
  };
}
