/** The programs of the contract as JavaScript in a folder in which the package is installed. */
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { project } from '../package.ts';

const source = (name: string) => resolve('test/library/contract', name);

/** `program.mjs` imports the package as any program does; `worker.mjs` is bundled with it, as for a deployment. */
export async function buildPrograms(): Promise<string> {
  const folder = project({});
  const common = { bundle: true, format: 'esm', target: 'es2023', logLevel: 'silent' } as const;
  await build({
    ...{ ...common, entryPoints: [source('program.ts')], outfile: join(folder, 'program.mjs') },
    ...{ platform: 'node', plugins: [packaged()] },
  });
  await build({
    ...{ ...common, entryPoints: [source('worker.ts')], outfile: join(folder, 'worker.mjs') },
    ...{ platform: 'browser', conditions: ['workerd', 'worker'], plugins: [packaged(folder)] },
  });
  return folder;
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
