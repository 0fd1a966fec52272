/** A finding of `cb doctor`: what was checked, its status, and how to fix it. */
import { plain } from '../../output/table/terminal-text.ts';
import { type ExitCode, exitCodes } from '../runtime/exit-codes.ts';

export interface Finding {
  /** A stable name for scripts. */
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'fault';
  /** Never holds a key or a password. */
  readonly found: string;
  readonly fix: string | null;
  /** Exit code of `cb doctor` if this is a fault. */
  readonly code: ExitCode;
}

export function fine(check: string, found: string): Finding {
  return { check, status: 'ok', found, fix: null, code: exitCodes.ok };
}

/** cb works, but not all of it, or not as one may expect. */
export function warning(check: string, found: string, fix: string): Finding {
  return { check, status: 'warning', found, fix, code: exitCodes.ok };
}

/** Commands fail because of it, or keys are in danger. */
export function fault(
  check: string,
  found: string,
  fix: string,
  code: ExitCode = exitCodes.key,
): Finding {
  return { check, status: 'fault', found, fix, code };
}

/** Checks the form of a key; `whole` is reported if nothing is wrong with it. */
export function keyFinding(check: string, key: string, whole: string, fix: string): Finding {
  if (key === '') return fault(check, 'the key is empty', fix);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return fault(check, 'the key holds a space, a line break or a strange character', fix);
  }
  if (/^(API|DEV)-/.test(key)) return fine(check, whole);
  return warning(check, `${whole}; keys of the service begin with 'API-', this one doesn't`, fix);
}

/** A fault on this machine counts before a fault of a service. */
export function codeOver(findings: readonly Finding[]): ExitCode {
  const codes = findings.filter(({ status }) => status === 'fault').map(({ code }) => code);
  return codes.includes(exitCodes.key) ? exitCodes.key : (codes[0] ?? exitCodes.ok);
}

/** A line for each finding with its fix below, never cut off. */
export function reportText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, status, found, fix }) => [
    `${status.padEnd(7)}  ${check.padEnd(width)}  ${found}`,
    ...(fix === null ? [] : [`${' '.repeat(width + 9)}  fix: ${fix}`]),
  ]);
  return [...lines.map(plain), '', summary(findings)].join('\n');
}

function summary(findings: readonly Finding[]): string {
  const count = (status: Finding['status']) => {
    const found = findings.filter((finding) => finding.status === status).length;
    return `${found} ${status}${found === 1 ? '' : 's'}`;
  };
  if (findings.every(({ status }) => status === 'ok')) return 'all is well';
  return `${count('fault')}, ${count('warning')}`;
}
