/** What `cb doctor` finds: one thing looked at, how it stands, and what mends it. */
import { type ExitCode, exitCodes } from '../exit-codes.ts';

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

/** The exit code over all: what the user can mend on this machine goes before what is elsewhere. */
export function codeOver(findings: readonly Finding[]): ExitCode {
  const codes = findings.filter(({ status }) => status === 'fault').map(({ code }) => code);
  return codes.includes(exitCodes.key) ? exitCodes.key : (codes[0] ?? exitCodes.ok);
}
