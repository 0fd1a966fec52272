/** Checks Node, the version of cb, its folders, and the database driver of the sandbox. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Context } from '../runtime/context.ts';
import { configFolder, dataFolder, stateFolder } from '../runtime/folders.ts';
import { version } from '../runtime/version.ts';
import { driverProblem } from '../session/sandbox-session.ts';
import { errorFinding, type Finding, fine, warning } from './finding.ts';

export async function machineFindings(context: Context): Promise<Finding[]> {
  const problem = await driverProblem();
  return [
    nodeFinding(context),
    fine('cb', version),
    folderFinding('config-folder', configFolder(context), '`cb login` cannot store a key'),
    folderFinding(
      'state-folder',
      stateFolder(context),
      '--since-last and the shared request pace fail',
    ),
    folderFinding('data-folder', dataFolder(context), 'the sandbox cannot keep data'),
    problem === undefined
      ? fine('sandbox-driver', 'libsql loads')
      : warning(
          'sandbox-driver',
          problem,
          'Run `npm install -g libsql`. Everything except the sandbox works without it.',
        ),
  ];
}

/** As `engines` in package.json. */
const oldest = [20, 18] as const;

function nodeFinding({ runtime: { node }, platform }: Context): Finding {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const found = `${node} on ${platform}`;
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return fine('node', found);
  const least = oldest.join('.');
  return errorFinding(
    'node',
    `${found} is older than ${least}.`,
    `Install Node ${least} or newer.`,
  );
}

/** A folder that does not exist yet is fine if it can be created. */
function folderFinding(check: string, folder: string, harm: string): Finding {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    if (!statSync(existing).isDirectory()) throw new Error('not a folder');
    accessSync(existing, constants.W_OK);
    return fine(check, existing === folder ? folder : `${folder}, not created yet`);
  } catch {
    const fix = `Make ${existing} a folder that you can write to.`;
    return warning(check, `${folder} can't be written, so ${harm}.`, fix);
  }
}
