/** A finding of `cb doctor`: what was checked, its status, and how to fix it. */
import { plain } from '../../output/table/terminal-text.ts';
import { type ExitCode, exitCodes } from '../runtime/exit-codes.ts';

export interface Finding {
  /** A stable name for scripts. */
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'fault';
  /** Never contains a key or a password. */
  readonly found: string;
  readonly fix: string | null;
  /** Exit code of `cb doctor` if this is a fault. */
  readonly code: ExitCode;
}

export function fine(check: string, found: string): Finding {
  return { check, status: 'ok', found, fix: null, code: exitCodes.ok };
}

/** cb works, but some features fail or behave unexpectedly. */
export function warning(check: string, found: string, fix: string): Finding {
  return { check, status: 'warning', found, fix, code: exitCodes.ok };
}

/** Commands fail, or keys may leak. */
export function fault(
  check: string,
  found: string,
  fix: string,
  code: ExitCode = exitCodes.key,
): Finding {
  return { check, status: 'fault', found, fix, code };
}

/** Checks the format of a key; reports `whole` if it is valid. */
export function keyFinding(check: string, key: string, whole: string, fix: string): Finding {
  if (key === '') return fault(check, 'The key is empty.', fix);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return fault(check, 'The key contains a space, a line break, or an invalid character.', fix);
  }
  if (/^(API|DEV)-/.test(key)) return fine(check, whole);
  return warning(
    check,
    `${whole}, but the key does not begin with 'API-' as ClickBank's keys do`,
    fix,
  );
}

/** Returns the exit code. A fault on this machine takes precedence over a fault of a service. */
export function codeOver(findings: readonly Finding[]): ExitCode {
  const codes = findings.filter(({ status }) => status === 'fault').map(({ code }) => code);
  return codes.includes(exitCodes.key) ? exitCodes.key : (codes[0] ?? exitCodes.ok);
}

/** One line per finding with its fix below, never truncated. */
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
  if (findings.every(({ status }) => status === 'ok')) return 'No problems found.';
  return `${count('fault')}, ${count('warning')}`;
}
