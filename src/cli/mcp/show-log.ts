/** `cb mcp log`: what agents have called, newest first. */
import { readCallLog } from '../../mcp/call-log.ts';
import { boolean, integer, resource, text, time } from '../../operations/resource.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import { onePage } from '../../output/stream.ts';
import { showPages } from '../display/show.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { mcpFolder } from './mcp-session.ts';

const shown = ['time', 'tool', 'outcome', 'arguments', 'message', 'requests', 'service'] as const;

const entry = resource(
  'call',
  shown,
  {
    ...{ time, session: text, service: text, by: text, tool: text, outcome: text },
    ...{ writes: boolean, requests: integer, took: integer, arguments: text, message: text },
  },
  { noun: 'call' },
);

export async function showLog(cmd: CommandContext, output: OutputOptions): Promise<void> {
  const entries = await readCallLog(mcpFolder(cmd.context));
  const calls = entries.filter(({ tool }) => tool !== undefined).reverse();
  await showPages(cmd, output, { resource: entry }, onePage(calls.map(rowOf)));
}

/** Arguments are one text, as they were called. */
function rowOf(call: Readonly<Record<string, unknown>>): Row {
  const row = { ...call, arguments: JSON.stringify(call.arguments ?? {}) };
  return row as Readonly<Record<string, Value>>;
}
