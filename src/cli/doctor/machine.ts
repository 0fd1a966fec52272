/** Checks of Node, the version of cb, its folders, and the database driver of the sandbox. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Context } from '../runtime/context.ts';
import { configFolder, dataFolder, stateFolder } from '../runtime/folders.ts';
import { version } from '../runtime/version.ts';
import { driverProblem } from '../session/sandbox-session.ts';
import { type Finding, fault, fine, warning } from './finding.ts';

export async function machineFindings(context: Context): Promise<Finding[]> {
  const problem = await driverProblem();
  return [
    nodeFinding(context),
    fine('cb', version),
    folderFinding('config-folder', configFolder(context), 'cb login can store no key'),
    folderFinding('state-folder', stateFolder(context), '--since-last and a shared pace fail'),
    folderFinding('data-folder', dataFolder(context), 'the sandbox can keep nothing'),
    problem === undefined
      ? fine('sandbox-driver', 'libsql loads')
      : warning('sandbox-driver', problem, 'npm install -g libsql; all but the sandbox works'),
  ];
}

/** As `engines` in package.json. */
const oldest = [20, 18] as const;

function nodeFinding({ runtime: { node }, platform }: Context): Finding {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const found = `${node} on ${platform}`;
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return fine('node', found);
  const least = oldest.join('.');
  return fault('node', `${found}, older than ${least}`, `install Node ${least} or newer`);
}

/** A folder that does not exist yet is fine if it can be made. */
function folderFinding(check: string, folder: string, harm: string): Finding {
  let there = folder;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  try {
    if (!statSync(there).isDirectory()) throw new Error('not a folder');
    accessSync(there, constants.W_OK);
    return fine(check, there === folder ? folder : `${folder}, not made yet`);
  } catch {
    const fix = `make ${there} a folder that you can write to`;
    return warning(check, `${folder} can't be written: ${harm}`, fix);
  }
}
