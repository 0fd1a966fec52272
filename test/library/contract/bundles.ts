/** Builds programs in a folder in which the package is installed. */
import { join, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

export const source = (name: string) => resolve('test/library/contract', name);

const common: BuildOptions = { bundle: true, format: 'esm', target: 'es2023', logLevel: 'silent' };

/** Writes `program.mjs`, which imports the package as any program does. */
export async function buildProgram(folder: string): Promise<void> {
  await build({
    ...{ ...common, entryPoints: [source('program.ts')], outfile: join(folder, 'program.mjs') },
    ...{ platform: 'node', plugins: [packaged()] },
  });
}

/** Writes `worker.mjs`, bundled with the package as for a deployment. */
export async function buildWorker(folder: string, entry: string): Promise<void> {
  await build({
    ...{ ...common, entryPoints: [entry], outfile: join(folder, 'worker.mjs') },
    ...{ platform: 'browser', conditions: ['workerd', 'worker'], plugins: [packaged(folder)] },
  });
}

/** Imports the package in place of its source, which the checks import for its types. */
function packaged(folder?: string): Plugin {
  return {
    name: 'packaged',
    setup({ onResolve, resolve: find }) {
      onResolve({ filter: /library\/index\.ts$/ }, () => {
        if (folder === undefined) return { path: 'clickbank-cli', external: true };
        return find('clickbank-cli', { resolveDir: folder, kind: 'import-statement' });
      });
    },
  };
}
