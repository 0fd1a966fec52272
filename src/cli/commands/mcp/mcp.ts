/** `cb mcp`: the server for agents, and the commands around it. */
import { boolean, integer, resource, text, time } from '../../../operations/resource.ts';
import type { Value } from '../../../output/rows/rows.ts';
import { command } from '../../runtime/define.ts';
import { mcpFolder } from '../../runtime/folders.ts';

const serving = {
  allowWrites: ['--allow-writes', 'Also offer tools that write; a person approves each write'],
  maxRefunds: ['--max-refunds <n>', 'Maximum number of refunds in a session (default: any)'],
  maxRefundTotal: [
    '--max-refund-total <amounts>',
    'Maximum refunded in a session, such as 200USD,150EUR',
  ],
  maxRequests: ['--max-requests <n>', 'Maximum number of requests in a session (default: 1000)'],
} as const;

const install = command({
  words: 'mcp install',
  summary: 'Print or write the configuration of an agent',
  // Written out, so that help does not load the programs.
  args: { '[program]': 'claude, claude-code, cursor, vscode, windsurf or gemini' },
  options: {
    write: ['--write', 'Add it to the file of the program'],
    name: ['--name <name>', 'Name of the server (default: clickbank)'],
    ...serving,
  },
  help: {
    notes: [
      'The configuration names the profile and contains no key. --write keeps everything else in the file, and changes nothing if cb does not understand the file.',
    ],
    examples: ['cb mcp install claude --sandbox', 'cb mcp install cursor --sandbox --write'],
    obeys: ['--profile', '--sandbox'],
    effect: 'writes',
  },
  async run(cmd, flags) {
    const { installAgent } = await import('../../mcp/install-agent.ts');
    await installAgent(cmd, flags, flags.program);
  },
});

const loggedCall = resource(
  'call',
  ['time', 'tool', 'outcome', 'arguments', 'message', 'requests', 'service'],
  {
    ...{ time, session: text, service: text, by: text, tool: text, outcome: text },
    ...{ writes: boolean, requests: integer, took: integer, arguments: text, message: text },
  },
  { noun: 'call' },
);

const log = command({
  words: 'mcp log',
  summary: 'List the calls of agents',
  rows: loggedCall,
  help: { examples: ['cb mcp log', 'cb mcp log -o json'] },
  async run({ context }) {
    const { readCallLog } = await import('../../../mcp/call-log.ts');
    const entries = await readCallLog(mcpFolder(context));
    const calls = entries.filter(({ tool }) => tool !== undefined).reverse();
    // Arguments are one text, as they were called.
    return calls.map((one) => {
      const row = { ...one, arguments: JSON.stringify(one.arguments ?? {}) };
      return row as Readonly<Record<string, Value>>;
    });
  },
});

export const mcp = command({
  words: 'mcp',
  options: serving,
  help: {
    notes: [
      'An agent starts this command itself and talks to it over stdin and stdout, in the Model Context Protocol. Its tools only read, unless it is started with --allow-writes.',
    ],
    examples: ['cb mcp install claude --sandbox', 'cb mcp log --limit 20'],
    remarks: ['Every call is logged without keys: see cb mcp log.'],
    obeys: ['--profile', '--sandbox', '--timeout', '--max-wait'],
    topics: ['credentials', 'safety'],
  },
  async run(cmd, flags) {
    const { runMcp } = await import('../../mcp/mcp-session.ts');
    await runMcp(cmd, flags);
  },
  commands: [install, log],
});
