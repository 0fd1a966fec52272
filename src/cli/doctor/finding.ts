/** What `cb doctor` finds: one thing looked at, how it stands, and what mends it. */
import { plain } from '../../output/table/terminal-text.ts';
import { type ExitCode, exitCodes } from '../runtime/exit-codes.ts';

export interface Finding {
  /** What was looked at; scripts go by it. */
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'fault';
  /** Never holds a key or a password. */
  readonly found: string;
  /** Null where nothing is to be mended. */
  readonly fix: string | null;
  /** What a command would end with. */
  readonly code: ExitCode;
}

/** As it should be. */
export function fine(check: string, found: string): Finding {
  return { check, status: 'ok', found, fix: null, code: exitCodes.ok };
}

/** cb works, but not in everything, or not as one may think. */
export function warning(check: string, found: string, fix: string): Finding {
  return { check, status: 'warning', found, fix, code: exitCodes.ok };
}

/** Commands fail by it, or keys are in danger; of the configuration unless the code says other. */
export function fault(
  check: string,
  found: string,
  fix: string,
  code: ExitCode = exitCodes.key,
): Finding {
  return { check, status: 'fault', found, fix, code };
}

/** Looks at a key without asking the service; `whole` is found where nothing is wrong with it. */
export function keyFinding(check: string, key: string, whole: string, fix: string): Finding {
  if (key === '') return fault(check, 'the key is empty', fix);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return fault(check, 'the key holds a space, a line break or a strange character', fix);
  }
  if (/^(API|DEV)-/.test(key)) return fine(check, whole);
  return warning(check, `${whole}; keys of the service begin with 'API-', this one doesn't`, fix);
}

/** The exit code over all: what the user can mend on this machine goes before what is elsewhere. */
export function codeOver(findings: readonly Finding[]): ExitCode {
  const codes = findings.filter(({ status }) => status === 'fault').map(({ code }) => code);
  return codes.includes(exitCodes.key) ? exitCodes.key : (codes[0] ?? exitCodes.ok);
}

/** A line each with the fix below, in whole lines: a fix that is cut off mends nothing. */
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
