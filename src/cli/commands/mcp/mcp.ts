/** `cb mcp`: the server for agents, and the commands around it. */
import { Argument, type Command, Option } from 'commander';
import { helpGroups } from '../../flags/flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import type { InstallFlags } from '../../mcp/install-agent.ts';
import type { McpFlags } from '../../mcp/mcp-session.ts';
import { addAction, addCommand, newCommand } from '../../runtime/command.ts';
import type { Call, CommonFlags } from '../../runtime/command-context.ts';
import { addLocalCommands } from '../local-command.ts';

const helpText: HelpText = {
  notes: [
    'An agent starts this command itself and talks to it over stdin and stdout, in the Model Context Protocol. Its tools only read, unless it is started with --allow-writes.',
  ],
  examples: ['cb mcp install claude --sandbox', 'cb mcp log --limit 20'],
  remarks: ['Every call is logged without keys: see cb mcp log.'],
  obeys: ['--profile', '--sandbox', '--timeout', '--max-wait'],
  topics: ['credentials', 'safety'],
};

const options: readonly (readonly [flags: string, summary: string])[] = [
  ['--allow-writes', 'Also offer tools that write; a person approves each write'],
  ['--max-refunds <n>', 'Maximum number of refunds in a session (default: any)'],
  ['--max-refund-total <amounts>', 'Maximum refunded in a session, such as 200USD,150EUR'],
  ['--max-requests <n>', 'Maximum number of requests in a session (default: 1000)'],
];

export function buildMcp(command: Command, call: Call): void {
  addOptions(command);
  command.runsAlone = true;
  addHelp(command, () => helpText);
  addAction(command, call, async (cmd, flags: CommonFlags & McpFlags) => {
    const { runMcp } = await import('../../mcp/run-mcp.ts');
    await runMcp(cmd, flags);
  });
  addInstall(command, call);
  addLocalCommands(command, call, [
    {
      name: 'log',
      summary: 'List the calls of agents',
      prints: 'rows',
      examples: ['cb mcp log', 'cb mcp log -o json'],
      run: async (cmd, flags) => {
        const { showLog } = await import('../../mcp/show-log.ts');
        await showLog(cmd, flags);
      },
    },
  ]);
}

function addOptions(command: Command): void {
  for (const [flags, summary] of options) {
    command.addOption(new Option(flags, summary).helpGroup(helpGroups.options));
  }
}

/** Written out, so that help does not load the programs. */
const programs = 'claude, claude-code, cursor, vscode, windsurf or gemini';

function addInstall(group: Command, call: Call): void {
  const command = newCommand(call.context, 'install').description(
    'Print or write the configuration of an agent',
  );
  addCommand(group, command, call, () => {
    command.addArgument(new Argument('[program]', programs));
    command.optionsGroup(helpGroups.options).option('--write', 'Add it to the file of the program');
    command.option('--name <name>', 'Name of the server (default: clickbank)');
    addOptions(command);
    addHelp(command, () => ({
      notes: [
        'The configuration names the profile and contains no key. --write keeps everything else in the file, and changes nothing if cb does not understand the file.',
      ],
      examples: ['cb mcp install claude --sandbox', 'cb mcp install cursor --sandbox --write'],
      obeys: ['--profile', '--sandbox'],
      effect: 'writes',
    }));
    addAction(command, call, async (cmd, flags: CommonFlags & InstallFlags, program) => {
      const { installAgent } = await import('../../mcp/install-agent.ts');
      await installAgent(cmd, flags, program);
    });
  });
}
