/** Column headings: the words of a field's name as a person would write them. */

/**
 * `transactionTime` and `transaction_time` are both `Transaction time`; of a dotted path only the last
 * name is taken, or the heading that is `given` for it. Where two columns would then read the same, they
 * get all names of their path.
 */
export function headings(
  paths: readonly string[],
  given: readonly (string | undefined)[] = [],
): string[] {
  const short = paths.map(
    (path, index) => given[index] ?? sentence(path.slice(path.lastIndexOf('.') + 1)),
  );
  const counts = new Map<string, number>();
  for (const heading of short) counts.set(heading, (counts.get(heading) ?? 0) + 1);
  return paths.map((path, index) => {
    const heading = short[index] ?? '';
    return counts.get(heading) === 1 ? heading : sentence(path);
  });
}

/** Words out of a name in camel case, snake case or with dots; abbreviations keep their capitals. */
export function sentence(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s._@-]+/)
    .filter((word) => word !== '')
    .map((word) => (word === word.toUpperCase() ? word : word.toLowerCase()))
    .join(' ');
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
