/** `cb mcp`: the server for agents, and the commands around it. */
import { type Command, Option } from 'commander';
import { helpGroups } from '../../flags/flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import type { McpFlags } from '../../mcp/run-mcp.ts';
import { addAction } from '../../runtime/command.ts';
import type { Call, CommonFlags } from '../../runtime/command-context.ts';

const helpText: HelpText = {
  notes: [
    'Agents start this command themselves and talk to it over stdin and stdout. They can only read, unless it is started with --allow-writes.',
  ],
  examples: ['cb mcp install claude'],
  remarks: ['Every call is logged, without keys: see cb mcp log.'],
  obeys: ['--profile', '--sandbox', '--timeout', '--max-wait'],
  ownFormat: true,
};

const options: readonly (readonly [flags: string, summary: string])[] = [
  ['--allow-writes', 'Also offer tools that write, which ask a person each time'],
  ['--max-refunds <n>', 'Maximum number of refunds in a session (default: any)'],
  ['--max-refund-total <amounts>', 'Maximum refunded in a session, such as 200USD,150EUR'],
  ['--max-requests <n>', 'Maximum number of requests in a session (default: 1000)'],
];

export function buildMcp(command: Command, call: Call): void {
  for (const [flags, summary] of options) {
    command.addOption(new Option(flags, summary).helpGroup(helpGroups.options));
  }
  addHelp(command, () => helpText);
  addAction(command, call, async (cmd, flags: CommonFlags & McpFlags) => {
    const { runMcp } = await import('../../mcp/run-mcp.ts');
    await runMcp(cmd, flags);
  });
}
