/**
 * Loads imports of a file when they are first used, so that a command does not wait for modules that it does not
 * need. Works on CommonJS as esbuild prints it without white space, where each import is a variable of which only
 * members are used.
 */

const importStatement =
  /\bvar (import_\w+)=(require\("[^"]+"\)|__toESM\(require\("[^"]+"\)(?:,1)?\));/g;

/** Three dots before a name spread it; one dot means that it is a member of something else. */
const importUse = /(?<!\bvar |[^.]\.)\b(import_\w+)\b(\.?)/g;

/** Throws if an import is used other than through its members. */
export function requireLate(text: string): string {
  const imports = new Map([...text.matchAll(importStatement)].map(([, name, to]) => [name, to]));
  return text
    .replace(importStatement, 'var $1;')
    .replace(importUse, (use: string, name: string, dot: string) => {
      const value = imports.get(name);
      if (value === undefined) return use;
      if (!dot) throw new Error(`${name} is used by itself`);
      return `(${name}??=${value}).`;
    });
}
