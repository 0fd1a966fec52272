/** Shows findings: as paragraphs, or as rows in any format. */
import { nillable, resource, text } from '../../operations/resource.ts';
import { onePage, showPages, showText } from '../display/show.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { type Finding, reportText } from './finding.ts';

export const findingResource = resource('finding', ['check', 'status', 'found', 'fix'], {
  check: text,
  status: text,
  found: text,
  fix: nillable(text),
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
