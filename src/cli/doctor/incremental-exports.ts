/** Checks the states of incremental exports: a scheduled export fails if its state can't be used. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowError } from '../../workflows/errors.ts';
import { readState } from '../../workflows/incremental-export/schedule.ts';
import type { Context } from '../runtime/context.ts';
import { sinceFolder } from '../runtime/folders.ts';
import { type Finding, warning } from './finding.ts';

export async function incrementalExportFindings(context: Context): Promise<Finding[]> {
  const folder = sinceFolder(context);
  const files = namesIn(folder).filter((name) => name.endsWith('.json'));
  const findings = files.sort().map(async (file) => {
    try {
      await readState(join(folder, file));
      return [];
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error;
      const { message, hint = '' } = error;
      return [warning(`since-last ${file.replace(/\.json$/, '')}`, message, hint)];
    }
  });
  return (await Promise.all(findings)).flat();
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Reported with the folder that it is in, or there is no such export.
    return [];
  }
}
