/** Names for the files of the bundle that tell what is inside: `undici-HASH.js`, not `chunk-HASH.js`. */
import { basename, dirname } from 'node:path';
import type { Metafile } from 'esbuild';
import { packageOf } from './bundled-packages.ts';

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Renames every file but the entry, in texts and metafile alike; keeps the hashes. */
export function nameChunks(files: readonly NamedText[], metafile: Metafile) {
  const outputs = Object.entries(metafile.outputs).map(
    ([path, output]) => [basename(path), output] as const,
  );
  const names = new Map(outputs.map(([name, output]) => [name, newName(name, output)]));
  const rename = (text: string) => names.get(text) ?? text;
  const renameImports = (text: string) =>
    text.replaceAll(/(?<=["']\.\/)[\w.-]+\.js(?=["'])/g, rename);
  return {
    files: files.map(({ name, text }) => ({ name: rename(name), text: renameImports(text) })),
    metafile: {
      inputs: metafile.inputs,
      outputs: Object.fromEntries(
        outputs.map(([name, output]) => [
          rename(name),
          {
            ...output,
            imports: output.imports.map((at) => ({
              ...at,
              path: at.external ? at.path : rename(basename(at.path)),
            })),
          },
        ]),
      ),
    } satisfies Metafile,
  };
}

type Output = Metafile['outputs'][string];

function newName(name: string, output: Output): string {
  const hash = /-([A-Z0-9]{8})\.js$/.exec(name)?.[1];
  return hash ? `${concernOf(output)}-${hash}.js` : name;
}

/** What was asked for by `import()`, else the largest thing inside, else helpers of esbuild. */
function concernOf({ entryPoint, inputs }: Output): string {
  if (entryPoint) return nameOf(entryPoint);
  const sizes = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const name = nameOf(path);
    sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput);
  }
  const [largest] = [...sizes].sort(([, a], [, b]) => b - a);
  return largest?.[0] ?? 'runtime';
}

function nameOf(path: string): string {
  const packageName = packageOf(path)?.name;
  if (packageName) return packageName.replace('@', '').replace('/', '-');
  const name = basename(path).replace(/\.\w+$/, '');
  return name === 'index' ? basename(dirname(path)) : name;
}
