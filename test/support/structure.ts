/** The rules of how src is built, as functions of its files, so that tests can break each of them. */
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

/** The layers of src, and the other layers that each may import. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  operations: [],
  dates: [],
  decimals: [],
  storage: [],
  ledger: ['operations', 'storage'],
  output: ['dates', 'decimals'],
  client: ['operations', 'dates', 'storage'],
  profiles: ['client', 'storage'],
  workflows: ['operations', 'dates', 'decimals', 'storage', 'ledger', 'client'],
  ins: ['operations', 'dates', 'decimals', 'storage', 'client'],
  library: ['operations', 'dates', 'storage', 'ledger', 'client', 'profiles', 'workflows'],
  sandbox: ['operations', 'dates', 'storage'],
  mcp: ['operations', 'dates', 'decimals', 'storage', 'ledger', 'client', 'workflows'],
  cli: [
    ...['operations', 'dates', 'decimals', 'storage', 'output', 'client', 'profiles'],
    ...['ledger', 'workflows', 'ins', 'mcp'],
  ],
  build: [
    'operations',
    'dates',
    'decimals',
    'storage',
    'output',
    'client',
    'profiles',
    'workflows',
    'ins',
    'library',
    'mcp',
    'cli',
  ],
  'main.ts': ['cli'],
};

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
    const lines = [...code.matchAll(importLine)].map(([, type, name]) => ({
      from,
      to: resolve(name),
      isLoaded: !type,
    }));
    const calls = [...code.matchAll(/\bimport\(\s*'([^']+)'/g)].map(([, name]) => ({
      from,
      to: resolve(name),
      isLoaded: false,
    }));
    return [...lines, ...calls];
  });
}

/** These start the sandbox, by `import()`, so that no other command waits for it to load. */
const startsSandbox = /^src\/cli\/(commands\/sandbox|session)\//;

/** Imports of a layer that the importing one may not know. Operations import no package either. */
export function layerViolations(sources: Sources): string[] {
  const isAllowed = ({ from, to, isLoaded }: Import) => {
    const layer = layerOf(from);
    if (!to.startsWith('src/')) return layer !== 'operations';
    if (layerOf(to) === 'sandbox' && startsSandbox.test(from)) return !isLoaded;
    return layerOf(to) === layer || (mayImport[layer] ?? []).includes(layerOf(to));
  };
  return importsOf(sources)
    .filter((found) => !isAllowed(found))
    .map(({ from, to }) => `${from} imports ${to}`);
}

/** Files that import each other, directly or through others, types and `import()` included. */
export function cycles(sources: Sources): string[] {
  const targets = new Map<string, string[]>([...sources.keys()].map((file) => [file, []]));
  for (const { from, to } of importsOf(sources)) if (sources.has(to)) targets.get(from)?.push(to);
  // What imports nothing that is left is in no cycle; what remains is in one, or leads to one.
  for (let size = -1; size !== targets.size; ) {
    size = targets.size;
    for (const [file, imported] of targets) {
      if (!imported.some((other) => targets.has(other))) targets.delete(file);
    }
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (targets.get(from) ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return [...targets.keys()].filter((file) => reaches(file, file)).sort();
}
