/** `cb doctor`: checks the installation, the configuration and the services. */

import { configurationFindings, readStored } from '../doctor/configuration.ts';
import {
  environmentFindings,
  incrementalExportFindings,
  machineFindings,
} from '../doctor/environment.ts';
import { codeOver, findingResource, showFindings } from '../doctor/finding.ts';
import { onlineFindings, type Target, targetsOf } from '../doctor/online.ts';
import { type OutputOptions, requireShowable } from '../flags/show-flags.ts';
import { connectionOptions } from '../help/help-text.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { command } from '../runtime/define.ts';

interface DoctorFlags {
  readonly online?: boolean;
}

export const doctor = command({
  words: 'doctor',
  options: {
    online: ['--online', 'Also send a request with each key'],
    'no-online': ['--no-online', 'Check this machine only'],
  },
  shows: { rows: true },
  help: {
    notes: [
      'Checks Node, folders, settings, profiles, the environment and the states of --since-last; with --online, also ClickBank and the key of each profile. Without either option, cb asks on a terminal. It changes nothing and shows no keys or passwords.',
      'Exit codes:',
      {
        ' 0': 'no errors; there can be warnings',
        ' 3': 'an error in the configuration, the environment, a key or the clock',
        '4, 5, 6, 7': 'only a request failed; see cb help exit-codes',
      },
    ],
    examples: ['cb doctor', 'cb doctor --online -o json', 'cb --sandbox doctor --online'],
    obeys: connectionOptions,
    topics: ['environment', 'credentials', 'exit-codes'],
  },
  run: examine,
});

async function examine(
  cmd: CommandContext,
  flags: DoctorFlags,
  output: OutputOptions,
): Promise<void> {
  requireShowable(output, findingResource);
  const { context } = cmd;
  const stored = readStored(context);
  const findings = [
    ...(await machineFindings(context)),
    ...configurationFindings(context, stored),
    ...environmentFindings(context, stored),
    ...(await incrementalExportFindings(context)),
  ];
  const targets = targetsOf(cmd, stored);
  if (await isWanted(cmd, flags, targets)) {
    findings.push(...(await onlineFindings(cmd, targets)));
  }
  await showFindings(cmd, output, findings);
  cmd.endWith(codeOver(findings));
}

async function isWanted(
  { mayAsk, context }: CommandContext,
  { online }: DoctorFlags,
  targets: readonly Target[],
): Promise<boolean> {
  if (targets.length === 0 || online !== undefined || !mayAsk) return online ?? false;
  const names = targets.map(({ name }) => name).join(', ');
  return (await context.prompts()).confirm(`Also check the key of ${names} with a request?`);
}
