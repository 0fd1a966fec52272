/**
 * `npm run binary`: makes dist/binary/cb for this system, one file that needs neither Node nor npm. Needs dist/. The Node
 * that is in it stays beside it, for `npm run bench:binary`.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { digestOf } from '../../storage/fingerprint.ts';
import { bundle, root } from '../compile.ts';
import { fetchPackage, nodeVersion, postject, type Target, targets } from './node.ts';

const require = createRequire(import.meta.url);
const { platform, arch } = process;
const isWindows = platform === 'win32';
const folder = join(root, 'dist/binary');
mkdirSync(folder, { recursive: true });
const work = mkdtempSync(join(folder, '.work-'));
try {
  const target = `${platform}-${arch}`;
  if (!Object.hasOwn(targets, target)) throw new Error(`No Node is pinned for ${target}`);
  await build(target as Target);
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function build(target: Target): Promise<void> {
  const { libsql } = targets[target];
  const from = fetchNode(targets[target]);
  const original = join(from, 'bin', isWindows ? 'node.exe' : 'node');
  const file = join(work, isWindows ? 'cb.exe' : 'cb');
  copyFileSync(original, file);
  chmodSync(file, 0o755);
  // Without its symbols, Node is a sixth smaller. A signature would not fit the changed file.
  if (!isWindows) execFileSync('strip', platform === 'darwin' ? ['-x', file] : [file]);
  if (platform === 'darwin') execFileSync('codesign', ['--remove-signature', file]);

  const blob = join(work, 'blob');
  const config = join(work, 'config.json');
  const settings = {
    main: join(root, 'src/build/binary/loader.cjs'),
    output: blob,
    disableExperimentalSEAWarning: true,
    // Both depend on the processor and the flags of Node, and are no faster.
    ...{ useSnapshot: false, useCodeCache: false },
    // NODE_OPTIONS is for other programs of the user.
    ...{ execArgv: [], execArgvExtension: 'none' },
    assets: await assets(libsql),
  };
  writeFileSync(config, JSON.stringify(settings));
  execFileSync(original, ['--experimental-sea-config', config], { env: {}, stdio: 'pipe' });
  const injector = require(join(fetchPackage(postject, work), 'dist/api.js'));
  await injector.inject(file, 'NODE_SEA_BLOB', readFileSync(blob), {
    sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
    ...(platform === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {}),
  });
  // macOS ends programs without a signature; one without a name is enough.
  if (platform === 'darwin') execFileSync('codesign', ['--sign', '-', file]);

  // Node's packages for some systems lack its license.
  const linux = targets['linux-x64'];
  const licensed = from.endsWith(linux.node) ? from : fetchNode(linux);
  copyFileSync(join(licensed, 'LICENSE'), join(folder, 'LICENSE-node.txt'));
  for (const made of [file, original]) renameSync(made, join(folder, basename(made)));
}

function fetchNode({ node, integrity }: { node: string; integrity: string }): string {
  return fetchPackage({ name: node, version: nodeVersion, integrity }, work);
}

/** Returns the files that the loader finds in the executable, by their names there. */
async function assets(libsql: string): Promise<Record<string, string>> {
  const dist = join(root, 'dist');
  const library = join(root, 'node_modules', libsql, 'index.node');
  const { files } = await bundle({
    entryPoints: {
      native: join(root, 'src/build/binary/native.ts'),
      keychain: join(root, 'src/build/binary/keychain.ts'),
      libsql: require.resolve('libsql'),
    },
    ...{ splitting: false, format: 'cjs', entryNames: '[name]' },
    define: { CB_LIBRARY: JSON.stringify(`libsql-${digestOf(readFileSync(library))}.node`) },
  });
  const found: Record<string, string> = { 'libsql.node': library };
  for (const { name, text } of files) {
    found[name] = join(work, name);
    writeFileSync(join(work, name), text);
  }
  for (const name of readdirSync(dist)) {
    if (name.endsWith('.js')) found[name] = join(dist, name);
  }
  return found;
}
