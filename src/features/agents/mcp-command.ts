/** `cb mcp`: the server for agents, and the commands around it. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import { reasonOf } from '../../client/workflow-error.ts';
import { boolean, integer, resource, text, time } from '../../operations/resource.ts';
import type { Row } from '../../output/rows/rows.ts';
import { isRecord } from '../../profiles/credentials.ts';
import { completionFile } from '../../shell/completion/shells.ts';
import type { CommandContext, Context } from '../../shell/context.ts';
import { command, type FlagsOf } from '../../shell/define.ts';
import { writeTo } from '../../shell/display/sink.ts';
import { exitCodes, Failure, usage } from '../../shell/failure.ts';
import { homeOf, mcpFolder } from '../../shell/folders.ts';
import { lockInTurn } from '../../shell/lock.ts';
import { wholeNumber } from '../../shell/options/flags.ts';
import { choiceFrom } from '../../shell/options/values.ts';
import { profileNamed, sourceOf } from '../../shell/session/session.ts';
import { profilesOf } from '../../shell/session/stored-profiles.ts';
import { shellWord } from '../../shell/shell-word.ts';
import { writeAtomic } from '../../storage/atomic-file.ts';
import { canonicalPath, makeFolder, shownCode } from '../../storage/files.ts';
import { absoluteFrom } from '../../storage/standard-folder.ts';
import { agentNames } from './agent-names.ts';
import { readCallLog } from './call-log.ts';
import type { Limits } from './tool.ts';

/** The agent must always get the same account, so the profile is named even if it is the current one. */
async function serviceWords(cmd: CommandContext): Promise<string[]> {
  const source = await sourceOf(cmd);
  if (source.kind === 'sandbox') {
    return source.key === 'full' ? ['--sandbox'] : ['--profile', `sandbox:${source.key}`];
  }
  const isSet = source.kind === 'environment';
  if (isSet || source.name === undefined) {
    throw new Failure(exitCodes.key, 'The configuration needs a stored profile.', {
      hint: isSet ? 'It never contains a key, and CB_API_KEY is not passed on.' : undefined,
      next: 'cb login',
    });
  }
  profileNamed(await profilesOf(cmd), source.name);
  return ['--profile', source.name];
}

interface Addition {
  readonly file: string;
  readonly member: string;
  readonly name: string;
  readonly entry: object;
}

const printInstead =
  'Without --write, cb prints the configuration so that you can add it yourself.';

/** Returns false if the file has the server already. Changes nothing that cb does not understand. */
async function addServer(context: Context, addition: Addition): Promise<boolean> {
  let { file } = addition;
  try {
    makeFolder(dirname(file));
    // A link stays, and its target is replaced.
    file = canonicalPath(file);
    const release = await lockInTurn(context, file);
    try {
      const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
      const after = withServer(before, addition);
      if (after === before) return false;
      await writeAtomic(file, after, before === '' ? { mode: 0o600 } : {});
      return true;
    } finally {
      await release();
    }
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw usage(`${file} can't be written (${shownCode(cause)}).`, { hint: printInstead, cause });
  }
}

/** Numbers keep their digits. A file with comments or doubled members would lose them, so it is refused. */
function withServer(before: string, { file, member, name, entry }: Addition): string {
  const unclear = (why: string) =>
    usage(`${file} can't be read as JSON, and was not changed: ${why}.`, { hint: printInstead });
  let settings: unknown;
  try {
    settings = parse(before.trim() || '{}', undefined, (digits) =>
      isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits),
    );
  } catch (error) {
    throw unclear(reasonOf(error));
  }
  if (!isRecord(settings)) throw unclear('it is not an object');
  const servers = settings[member] ?? {};
  if (!isRecord(servers)) throw unclear(`${member} is not an object`);
  const known = servers[name];
  if (known !== undefined && !isOurs(known)) {
    const hint = 'Choose another name with --name.';
    throw usage(`${file} has another server named ${name}.`, { hint });
  }
  if (JSON.stringify(known) === JSON.stringify(entry)) return before;
  const after = { ...settings, [member]: { ...servers, [name]: entry } };
  // The first one in the file, or two spaces.
  const indentation = /^[ \t]+(?=")/m.exec(before)?.[0] ?? '  ';
  return `${stringify(after, undefined, indentation) ?? ''}\n`;
}

/** Whether an entry starts `cb mcp`, so that it may be replaced. */
function isOurs(entry: unknown): boolean {
  if (!isRecord(entry) || !Array.isArray(entry.args)) return false;
  const words = [entry.command, ...entry.args].map(String);
  const at = words.findIndex((word) => /(?:^|[\\/])cb(?:\.js|\.cmd)?$/.test(word));
  return at >= 0 && words[at + 1] === 'mcp';
}

interface AgentProgram {
  readonly title: string;
  /** The member of the JSON object that holds the servers; default: mcpServers. */
  readonly member?: string;
  /** What each server has besides `command` and `args`. */
  readonly also?: object;
  /** What the user still has to do. Default: start the program again. */
  readonly next?: string;
  /** The command that adds a server, without its name and how to start it. */
  readonly command?: string;
  /** The folder of the user's skills, if it is known. */
  readonly skills?: (context: Context) => string;
  /** The file of the user. Undefined if another program must change it with `command`. */
  file?(context: Context): string;
}

type Path = readonly string[];
const inHome = (path: Path) => (context: Context) => join(homeOf(context), ...path);
const inSettings = (path: Path) => (context: Context) => join(applicationFolder(context), ...path);

const agentPrograms: Readonly<Record<(typeof agentNames)[number], AgentProgram>> = {
  claude: {
    title: 'Claude Desktop',
    next: 'Quit Claude Desktop and start it again.',
    file: inSettings(['Claude', 'claude_desktop_config.json']),
  },
  'claude-code': {
    ...{ title: 'Claude Code', also: { type: 'stdio' } },
    // Claude Code rewrites its own file while it runs.
    next: 'Save it as .mcp.json in a project, or run',
    command: 'claude mcp add --scope user',
    skills: inHome(['.claude', 'skills']),
  },
  cursor: { title: 'Cursor', file: inHome(['.cursor', 'mcp.json']) },
  vscode: {
    ...{ title: 'Visual Studio Code', member: 'servers', also: { type: 'stdio' } },
    next: 'Start the server in the view of MCP servers.',
    file: inSettings(['Code', 'User', 'mcp.json']),
  },
  windsurf: { title: 'Windsurf', file: inHome(['.codeium', 'windsurf', 'mcp_config.json']) },
  gemini: { title: 'Gemini CLI', file: inHome(['.gemini', 'settings.json']) },
};

function applicationFolder(context: Context): string {
  const home = homeOf(context);
  if (context.platform === 'darwin') return join(home, 'Library', 'Application Support');
  const isWindows = context.platform === 'win32';
  const usual = isWindows ? join(home, 'AppData', 'Roaming') : join(home, '.config');
  return absoluteFrom(context, isWindows ? 'APPDATA' : 'XDG_CONFIG_HOME') ?? usual;
}

const serving = {
  allowWrites: ['--allow-writes', 'Also offer tools that write; a person approves each write'],
  maxRefunds: ['--max-refunds <n>', 'Maximum number of refunds in a session (default: any)'],
  maxRefundTotal: [
    '--max-refund-total <amounts>',
    'Maximum refunded in a session, such as 200USD,150EUR',
  ],
  maxRequests: ['--max-requests <n>', 'Maximum number of requests in a session (default: 1000)'],
} as const;

function limitsFrom(flags: FlagsOf<typeof serving, unknown>): Limits {
  const { allowWrites, maxRequests = '1000', maxRefunds, maxRefundTotal } = flags;
  const limits = {
    requests: wholeNumber('--max-requests', maxRequests, 1),
    refunds: maxRefunds === undefined ? undefined : wholeNumber('--max-refunds', maxRefunds, 0),
    refundTotals: maxRefundTotal === undefined ? {} : totalsFrom(maxRefundTotal),
  };
  const limit = maxRefunds === undefined ? '--max-refund-total' : '--max-refunds';
  if ((maxRefunds ?? maxRefundTotal) !== undefined && !allowWrites) {
    const hint = 'Add --allow-writes, or leave it out.';
    throw usage(`${limit} has no effect without --allow-writes.`, { hint });
  }
  return limits;
}

/** As in `200USD,150.50EUR`. A limit in dollars says nothing about euros. */
function totalsFrom(typed: string): Readonly<Record<string, string>> {
  const totals = new Map<string, string>();
  for (const part of typed.split(',')) {
    const [, amount, code = ''] = /^\s*(\d{1,12}(?:\.\d{1,2})?)\s*([a-z]{3})\s*$/i.exec(part) ?? [];
    const currency = code.toUpperCase();
    if (amount === undefined || totals.has(currency)) {
      const hint = 'Use an amount and a currency, such as 200USD or 200USD,150EUR.';
      throw usage(`Invalid --max-refund-total '${typed}'.`, { hint });
    }
    totals.set(currency, amount);
  }
  return Object.fromEntries(totals);
}

/** The skill says what never to do with money, and names every command. It replaces the skill of another version. */
async function installSkill(
  { context, messages }: CommandContext,
  { title, skills }: AgentProgram,
  isWritten: boolean,
): Promise<void> {
  const text = completionFile('SKILL.md');
  const file = skills && join(skills(context), 'clickbank', 'SKILL.md');
  if (!isWritten) {
    await writeTo(context, undefined, (sink) => sink.write(text));
    messages.tell(
      file ? `Save it as ${file}, or use --write.` : `Save it with the skills of ${title}.`,
    );
    return;
  }
  if (!file)
    throw usage(`cb does not know where ${title} keeps skills.`, {
      hint: 'Without --write, cb prints the skill so that you can save it yourself.',
    });
  makeFolder(dirname(file));
  await writeAtomic(file, text);
  messages.say(`Wrote ${file}.`);
}

const install = command({
  words: 'mcp install',
  summary: 'Print or write the configuration of an agent',
  args: { '[program]': `${agentNames.slice(0, -1).join(', ')} or ${agentNames.at(-1)}` },
  options: {
    write: ['--write', "Add it to the program's configuration file"],
    name: ['--name <name>', 'Name of the server (default: clickbank)'],
    skill: ['--skill', 'Print or write the skill instead, for an agent that runs cb in a shell'],
    ...serving,
  },
  help: {
    notes: [
      'The configuration names the profile and contains no key. --write keeps everything else in the file, and changes nothing if cb does not understand the file.',
    ],
    examples: [
      'cb mcp install claude --sandbox',
      'cb mcp install cursor --sandbox --write',
      'cb mcp install claude-code --skill --write',
    ],
    obeys: ['--profile', '--sandbox'],
    effect: 'writes',
  },
  async run(cmd, flags) {
    const { context, messages } = cmd;
    const chosen = choiceFrom('<program>', flags.program, agentNames);
    if (!chosen) {
      throw usage('<program> is missing.', { hint: `Use one of ${agentNames.join(', ')}.` });
    }
    const program = agentPrograms[chosen];
    const { name = 'clickbank', allowWrites, maxRequests, maxRefunds, maxRefundTotal } = flags;
    if (flags.skill) {
      const ignored = [flags.name, allowWrites, maxRequests, maxRefunds, maxRefundTotal];
      if (ignored.some((value) => value !== undefined)) {
        throw usage('--skill can be combined only with --write.');
      }
      return installSkill(cmd, program, flags.write ?? false);
    }
    if (!/^[\w-]{1,50}$/.test(name)) {
      throw usage(`Invalid --name '${name}'.`, { hint: 'Use letters, digits and dashes.' });
    }
    limitsFrom(flags);
    const { executable } = context.runtime;
    const words = [
      ...[executable ?? 'cb', 'mcp', ...(await serviceWords(cmd))],
      ...(allowWrites ? ['--allow-writes'] : []),
      ...(maxRequests === undefined ? [] : ['--max-requests', maxRequests]),
      ...(maxRefunds === undefined ? [] : ['--max-refunds', maxRefunds]),
      ...(maxRefundTotal === undefined ? [] : ['--max-refund-total', maxRefundTotal]),
    ];
    // On Windows, npm installs a command file, which only a shell can start.
    const isCommandFile = context.platform === 'win32' && executable === undefined;
    const [command, ...args] = isCommandFile ? ['cmd', '/c', ...words] : words;
    const entry = { ...program.also, command, args };
    const { command: adds, next = `Start ${program.title} again.` } = program;
    const started = [command, ...args].map((word) => shellWord(String(word))).join(' ');
    const after = adds ? `${next} \`${adds} ${name} -- ${started}\`.` : next;
    const { member = 'mcpServers' } = program;
    const file = program.file?.(context);
    if (!flags.write) {
      const text = JSON.stringify({ [member]: { [name]: entry } }, undefined, 2);
      await writeTo(context, undefined, (sink) => sink.write(`${text}\n`));
      messages.tell(file === undefined ? after : `Add it to ${file}, or use --write. ${after}`);
      return;
    }
    if (file === undefined) {
      throw usage(`cb does not change the file of ${program.title}.`, { hint: after });
    }
    const isNew = await addServer(context, { file, member, name, entry });
    messages.say(isNew ? `Wrote ${file}. ${after}` : `${file} is up to date.`);
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
    const entries = await readCallLog(mcpFolder(context));
    const calls = entries.filter(({ tool }) => tool !== undefined).reverse();
    // Arguments are one text, as they were called.
    return calls.map((one) => ({ ...one, arguments: JSON.stringify(one.arguments ?? {}) }) as Row);
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
    const limits = limitsFrom(flags);
    // The packages of the server are large, and the commands below do without them.
    const { runMcp } = await import('./mcp-session.ts');
    await runMcp(cmd, limits, flags.allowWrites ?? false);
  },
  commands: [install, log],
});
