/**
 * What a file imports is loaded when it is first used, not when the file is: help does not wait for
 * what only a request needs. Works on CommonJS as esbuild prints it, where each import is a variable
 * that is only ever asked for its members.
 */

const importLine =
  /^var (import_\w+) = (require\("[^"]+"\)|__toESM\(require\("[^"]+"\)(?:, 1)?\));$/gm;

/** What is used while the file itself loads is loaded then, as before. Throws for text of another form. */
export function requireLate(text: string): string {
  const imports = new Map([...text.matchAll(importLine)].map(([, name, value]) => [name, value]));
  return text
    .replace(importLine, 'var $1;')
    .replace(/(?<!^var )\bimport_\w+\b/gm, (name, ...at) => {
      const value = imports.get(name);
      if (value === undefined) return name;
      const [before, after] = around(at[1] as string, at[0] as number, name);
      // After a dot it would be a member of something else; three dots spread it.
      if (after !== '.' || /(?:^|[^.])\.$/.test(before))
        throw new Error(`${name} stands by itself`);
      return `(${name} ??= ${value})`;
    });
}

function around(text: string, at: number, name: string): [string, string] {
  const end = at + name.length;
  return [text.slice(Math.max(0, at - 2), at), text.slice(end, end + 1)];
}
