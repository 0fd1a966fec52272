/** A finding of `cb doctor`: what was checked, its status, and how to fix it; and how findings are shown. */
import { countOf } from '../../decimals/decimals.ts';
import { nillable, resource, text } from '../../operations/resource.ts';
import { onePage } from '../../output/stream.ts';
import { wrapLine } from '../../output/table/display-width.ts';
import { plain } from '../../output/table/terminal-text.ts';
import type { CommandContext } from '../../shell/context.ts';
import { showPages, showText } from '../../shell/display/show.ts';
import { type ExitCode, exitCodes } from '../../shell/failure.ts';
import type { OutputOptions } from '../../shell/options/show-flags.ts';

export interface Finding {
  /** A stable name for scripts. */
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'error';
  /** Never contains a key or a password. */
  readonly found: string;
  readonly fix: string | null;
  /** Exit code of `cb doctor` if this is an error. */
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
export function errorFinding(
  check: string,
  found: string,
  fix: string,
  code: ExitCode = exitCodes.key,
): Finding {
  return { check, status: 'error', found, fix, code };
}

/** Checks the format of a key; reports `whole` if it is valid. */
export function keyFinding(check: string, key: string, whole: string, fix: string): Finding {
  if (key === '') return errorFinding(check, 'The key is empty.', fix);
  const invalid = 'The key contains a space, a line break, or an invalid character.';
  if (!/^[\x21-\x7e]+$/.test(key)) return errorFinding(check, invalid, fix);
  if (/^(API|DEV)-/.test(key)) return fine(check, whole);
  const found = `${whole}, but the key does not begin with 'API-' as ClickBank's keys do`;
  return warning(check, found, fix);
}

/** Returns the exit code. An error on this machine takes precedence over an error of a service. */
export function codeOver(findings: readonly Finding[]): ExitCode {
  const codes = findings.filter(({ status }) => status === 'error').map(({ code }) => code);
  return codes.includes(exitCodes.key) ? exitCodes.key : (codes[0] ?? exitCodes.ok);
}

/** Columns for what was found beside the checks; in a narrower terminal it stands below them. */
const leastBeside = 30;

/** One paragraph per finding with its fix below, wrapped between words and never truncated. */
function reportText(findings: readonly Finding[], width = Number.POSITIVE_INFINITY): string {
  const longest = Math.max(...findings.map(({ check }) => check.length));
  const beside = longest + 11;
  const isNarrow = width - beside < leastBeside;
  const indent = ' '.repeat(isNarrow ? 4 : beside);
  const lines = findings.flatMap(({ check, status, found, fix }) => {
    const head = plain(`${status.padEnd(7)}  ${check}`);
    const texts = [found, ...(fix === null ? [] : [`fix: ${fix}`])];
    const below = texts.flatMap((text) => wrapLine(indent + plain(text), width));
    if (isNarrow) return [head, ...below];
    return below.map((line, i) => (i === 0 ? head.padEnd(beside) + line.trimStart() : line));
  });
  const count = (status: Finding['status']) =>
    countOf(findings.filter((finding) => finding.status === status).length, status);
  const isFine = findings.every(({ status }) => status === 'ok');
  const summary = isFine ? 'No problems found.' : `${count('error')}, ${count('warning')}`;
  return [...lines, '', summary].join('\n');
}

export const findingResource = resource('finding', ['check', 'status', 'found', 'fix'], {
  ...{ check: text, status: text, found: text, fix: nillable(text) },
});

export async function showFindings(
  cmd: CommandContext,
  output: OutputOptions,
  findings: readonly Finding[],
): Promise<void> {
  const { format, out, fields, query, expand, limit } = output;
  const isShaped = [fields, query, expand, limit].some((shape) => shape !== undefined);
  if (format === 'table' && !isShaped) {
    const width = out === undefined ? cmd.context.stdout.columns : undefined;
    return showText(cmd, output, reportText(findings, width));
  }
  const rows = findings.map(({ code, ...row }) => row);
  return showPages(cmd, output, { resource: findingResource }, onePage(rows));
}
