/** Looks at a command line that commander has not parsed, and defines the options that every command accepts. */
import { parseArgs } from 'node:util';
import { formatNames } from '../output/registry.ts';

const names = formatNames();

export function formatSummary(offered: readonly string[]): string {
  return `Format: ${offered.slice(0, -1).join(', ')} or ${offered.at(-1)}`;
}

export const commonFlags: readonly (readonly [flags: string, summary: string])[] = [
  ['-o, --output <format>', formatSummary(names)],
  ['--profile <name>', 'Use this profile; several, separated by commas, for reads'],
  ['--all-profiles', 'Read from every stored profile'],
  ['--sandbox', 'Use the built-in sandbox instead of ClickBank'],
  ['--tz <zone>', 'Time zone of days, and of times in tables (default: Pacific time)'],
  ['--no-input', 'Never prompt'],
  ['--no-color', 'Disable color'],
  ['--plain', 'Write for a screen reader: lines of text, and nothing is redrawn'],
  ['--no-pager', 'Do not use a pager'],
  ['--timeout <time>', 'Maximum time for one request (default: 60s)'],
  ['--max-wait <time>', 'Maximum total time to spend retrying (default: 60s)'],
  ['--wire <format>', 'Format to request from ClickBank: json or xml (default: json)'],
  ['--debug', 'Print each request, and the stack trace of an internal error, to stderr'],
];

const commonOptions = Object.fromEntries(
  commonFlags.map(([flags]) => {
    const [, short, name = ''] = /^(?:-(\w), )?--([\w-]+)/.exec(flags) ?? [];
    const type = flags.includes('<') ? ('string' as const) : ('boolean' as const);
    return [name, { type, ...(short && { short }) }];
  }),
);

/** The words that can follow `cb`, apart from aliases, in the order of the help. */
const commands = [
  ...(['today', 'summary', 'tickets', 'find', 'check', 'export', 'orders', 'products'] as const),
  ...(['quickstats', 'ship', 'analytics', 'replies', 'sync', 'sql', 'metrics', 'api'] as const),
  ...(['mcp', 'ins', 'sandbox', 'login', 'logout', 'whoami', 'profiles', 'approve'] as const),
  ...(['log', 'doctor', 'config', 'alias', 'completion', 'help'] as const),
];

export type CommandName = (typeof commands)[number];

export const commandNames: readonly string[] = commands;

export type CommandLine = ReturnType<typeof readArgv>;

/** `--json`, or `-json`, which people type for it. */
export function isFormat(token: string): boolean {
  return names.some((name) => token === `--${name}` || token === `-${name}`);
}

/** Reads what it can from a line that may be invalid or incomplete; never throws. */
export function readArgv(argv: readonly string[]) {
  const end = argv.indexOf('--');
  const args = end < 0 ? argv : argv.slice(0, end);
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: commonOptions,
  });
  const common = [...names, ...Object.keys(commonOptions)];
  const first = tokens.find(
    (token) =>
      token.kind === 'positional' || !common.includes(token.kind === 'option' ? token.name : ''),
  );
  const firstWord = first?.kind === 'positional' ? first.index : undefined;
  return {
    /** The words up to `--` that are neither options nor values of the options above. */
    words: positionals,
    /** Index of the first word if only options of cb and their values stand before it: a command, or an alias. */
    start: firstWord,
    profile: typeof values.profile === 'string' ? values.profile : undefined,
    sandbox: values.sandbox === true,
    debug: values.debug === true,
    color: values['no-color'] !== true,
    plain: values.plain === true,
    pager: values['no-pager'] !== true,
    /** Errors are printed as JSON, because the output is JSON. */
    json: values.output?.toString().toLowerCase() === 'json' || values.json === true,
    helpAll: values.all === true,
  };
}
