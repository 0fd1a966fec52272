/** Where programs with agents keep their list of servers, and how they write it. */
import { join } from 'node:path';
import { absoluteFrom } from '../../storage/standard-folder.ts';
import type { Context } from '../runtime/context.ts';
import { homeOf } from '../runtime/folders.ts';

export interface AgentProgram {
  readonly title: string;
  /** The member of the JSON object that holds the servers. */
  readonly member: 'mcpServers' | 'servers';
  /** Members that each server needs besides `command` and `args`. */
  readonly also?: Readonly<Record<string, string>>;
  /** What the user still has to do. */
  readonly next: string;
  /** The command that adds a server, without its name and how to start it. */
  readonly command?: string;
  /** The file of the user. Undefined if another program must change it with `command`. */
  file?(context: Context): string;
}

export const agentPrograms = {
  claude: {
    title: 'Claude Desktop',
    member: 'mcpServers',
    next: 'Quit Claude Desktop and start it again.',
    file: (context) => join(applicationFolder(context), 'Claude', 'claude_desktop_config.json'),
  },
  'claude-code': {
    title: 'Claude Code',
    member: 'mcpServers',
    also: { type: 'stdio' },
    // Claude Code rewrites its own file while it runs.
    next: 'Save it as .mcp.json in a project, or run',
    command: 'claude mcp add --scope user',
  },
  cursor: {
    title: 'Cursor',
    member: 'mcpServers',
    next: 'Start Cursor again.',
    file: (context) => join(homeOf(context), '.cursor', 'mcp.json'),
  },
  vscode: {
    title: 'Visual Studio Code',
    member: 'servers',
    also: { type: 'stdio' },
    next: 'Start the server in the view of MCP servers.',
    file: (context) => join(applicationFolder(context), 'Code', 'User', 'mcp.json'),
  },
  windsurf: {
    title: 'Windsurf',
    member: 'mcpServers',
    next: 'Start Windsurf again.',
    file: (context) => join(homeOf(context), '.codeium', 'windsurf', 'mcp_config.json'),
  },
  gemini: {
    title: 'Gemini CLI',
    member: 'mcpServers',
    next: 'Start Gemini CLI again.',
    file: (context) => join(homeOf(context), '.gemini', 'settings.json'),
  },
} satisfies Readonly<Record<string, AgentProgram>>;

export type AgentName = keyof typeof agentPrograms;

export const agentNames = Object.keys(agentPrograms) as readonly AgentName[];

/** The folder in which applications keep their settings. */
function applicationFolder(context: Context): string {
  const { platform } = context;
  const home = homeOf(context);
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') {
    return absoluteFrom(context, 'APPDATA') ?? join(home, 'AppData', 'Roaming');
  }
  return absoluteFrom(context, 'XDG_CONFIG_HOME') ?? join(home, '.config');
}
