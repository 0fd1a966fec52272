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
export const mayImport: Readonly<Record<string, readonly string[]>> = layersOf({
  operations: '',
  dates: '',
  decimals: '',
  storage: '',
  output: 'dates decimals',
  client: 'operations dates storage',
  profiles: 'client storage',
  ledger: 'operations dates storage client',
  'safe-write': 'operations dates decimals storage client ledger',
  shell: 'operations dates decimals storage output client profiles ledger safe-write',
  features: 'operations dates decimals storage output client profiles ledger safe-write shell',
  library: 'operations dates decimals storage client profiles ledger safe-write',
  sandbox: 'operations dates storage',
  'program.ts': 'operations output features shell',
  'run.ts': 'program.ts shell',
  'main.ts': 'run.ts program.ts features shell',
  build:
    'operations dates decimals storage output client profiles ledger safe-write shell features library program.ts run.ts',
});

function layersOf(names: Readonly<Record<string, string>>): Record<string, readonly string[]> {
  const split = ([layer, others]: [string, string]) =>
    [layer, others.split(' ').filter(Boolean)] as const;
  return Object.fromEntries(Object.entries(names).map(split));
}

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
  const reaches = (from: string, seen: Set<string>): boolean =>
    loaded.some(({ from: importing, to }) => {
      if (importing !== from || seen.has(to)) return false;
      seen.add(to);
      return layerOf(to) === 'shell' || reaches(to, seen);
    });
  return files.filter((file) => reaches(file, new Set()));
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
