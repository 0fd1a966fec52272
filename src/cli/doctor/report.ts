/** The findings as a person reads them: a line each, and what mends it below. */
import { plain } from '../../output/terminal-text.ts';
import type { Finding } from './finding.ts';

/** Whole lines, however narrow the terminal: a fix that is cut off mends nothing. */
export function reportText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, status, found, fix }) => [
    `${status.padEnd(7)}  ${check.padEnd(width)}  ${found}`,
    ...(fix === null ? [] : [`${' '.repeat(width + 9)}  fix: ${fix}`]),
  ]);
  return [...lines.map(plain), '', summary(findings)].join('\n');
}

function summary(findings: readonly Finding[]): string {
  const count = (status: Finding['status']) =>
    findings.filter((finding) => finding.status === status).length;
  const faults = count('fault');
  const warnings = count('warning');
  if (faults + warnings === 0) return 'all is well';
  return `${faults} ${faults === 1 ? 'fault' : 'faults'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
}
