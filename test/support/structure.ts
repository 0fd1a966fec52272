/** The rules of how src is built, as functions of its files, so that tests can break each of them. */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Source text by path, such as `src/client/client.ts`. */
export type Sources = ReadonlyMap<string, string>;

interface Import {
  readonly from: string;
  /** A path of src, or the name of a package. */
  readonly to: string;
  /** Loaded together with the file: neither `import type` nor `import()`. */
  readonly isLoaded: boolean;
}

const rows = readFileSync('src/README.md', 'utf8').matchAll(
  /^\| `([\w.-]+)\/?` \| .+ \| (.+) \|$/gm,
);

/** The layers of src, and the other layers that each may import, by the table in src/README.md. */
export const mayImport: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...rows].map(([, layer = '', others = ''], at, all) => [
    layer,
    others === 'all of the above'
      ? all.slice(0, at).map(([, above = '']) => above)
      : others.split(', '),
  ]),
);

/** The layer of a path: the folder below src, or the name of a file there. */
export function layerOf(path: string): string {
  return path.split('/')[1] ?? '';
}

export function withoutComments(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '');
}

const importLine = /^(?:import|export) (type )?(?:[\w$*{][\w$*{},\s]*? from )?'([^']+)'/gm;

export function importsOf(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) => {
    const code = withoutComments(text);
    const resolve = (name = '') => (name.startsWith('.') ? posix.join(from, '..', name) : name);
    const found = (line: RegExp, isLoaded: (type?: string) => boolean) =>
      [...code.matchAll(line)].map(([, type, name]) => {
        return { from, to: resolve(name), isLoaded: isLoaded(type) };
      });
    const lines = found(importLine, (type) => !type);
    return [...lines, ...found(/\bimport\((\s*)'([^']+)'/g, () => false)];
  });
}

/** These start the sandbox, by `import()`, so that no other command waits for it to load. */
const startsSandbox = /^src\/(features\/sandbox|shell\/session)\//;

/** These parts of the shell know rules of features: types of the context, words for Tab, layouts of orders. */
const knowsRules = /^src\/shell\/(context\.ts|completion\/|display\/arranged\.ts)/;

/** Imports of a layer that the importing one may not know. Operations import no package either. */
export function layerViolations(sources: Sources): string[] {
  const isAllowed = ({ from, to, isLoaded }: Import) => {
    const layer = layerOf(from);
    if (!to.startsWith('src/')) return layer !== 'operations';
    if (layerOf(to) === 'sandbox' && startsSandbox.test(from)) return !isLoaded;
    if (layerOf(to) === 'features' && knowsRules.test(from)) return true;
    return layerOf(to) === layer || (mayImport[layer] ?? []).includes(layerOf(to));
  };
  return importsOf(sources)
    .filter((found) => !isAllowed(found))
    .map(({ from, to }) => `${from} imports ${to}`);
}

/**
 * Files of the library, the sandbox and `clickbank-cli/ins` that load `shell/`, directly or through others. They have no
 * streams and no prompts, and neither have the rules of features that they use.
 */
export function reachShell(sources: Sources): string[] {
  const loaded = importsOf(sources).filter(({ isLoaded }) => isLoaded);
  const files = [...sources.keys()].filter(
    (file) => /^src\/(library|sandbox)\//.test(file) || file === 'src/features/ins/index.ts',
  );
  const reachesShell = (file: string) => {
    const reached = new Set([file]);
    for (const one of reached) for (const { from, to } of loaded) if (from === one) reached.add(to);
    return [...reached].some((one) => layerOf(one) === 'shell');
  };
  return files.filter(reachesShell);
}
