/** The one reader of a command line before commander parses it, and the flags that every command takes. */
import { parseArgs } from 'node:util';
import { formatNames } from '../../output/registry.ts';

const names = formatNames();

/** The flags that every command takes, with their help. */
export const commonFlags: readonly (readonly [flags: string, summary: string])[] = [
  ['-o, --output <format>', `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`],
  ['--sandbox', 'Use the built-in sandbox instead of the live service'],
  ['--profile <name>', 'Use this profile; sandbox, or sandbox:read-only, is built in'],
  ['--all-profiles', 'Read from every profile; --profile a,b reads from several'],
  ['--no-input', 'Never prompt'],
  ['--no-color', 'Disable color'],
  ['--tz <zone>', 'Time zone in which days are counted (default: Pacific, as the service does)'],
  ['--timeout <seconds>', 'Maximum time for one request (default: 60)'],
  ['--max-wait <seconds>', 'Maximum total time to spend retrying (default: 60)'],
  ['--wire <format>', 'Format to request from the service: json (default) or xml'],
  ['--debug', 'Show each request, and where an internal error occurred, on stderr'],
];

export interface CommandLine {
  /** What is no flag, and no value of a flag above, up to `--`. */
  readonly words: readonly string[];
  /** Where the first word is in the line; undefined if there is none. */
  readonly start: number | undefined;
  readonly profile: string | undefined;
  readonly sandbox: boolean;
  readonly debug: boolean;
  /** False with --no-color. */
  readonly color: boolean;
  /** Errors are JSON where results are. */
  readonly json: boolean;
}

/** The words among which the name of the command to run is; undefined where a group may show its help. */
export function askedIn(argv: readonly string[]): readonly string[] | undefined {
  const { words } = readArgv(argv);
  const mayShow = argv.some((word) => ['-h', '--help', '--'].includes(word));
  return words.length > 1 && !mayShow ? words : undefined;
}

/** Reads what can be read of a line that may be wrong or not whole yet; never throws. */
export function readArgv(argv: readonly string[]): CommandLine {
  const end = argv.indexOf('--');
  const args = end < 0 ? argv : argv.slice(0, end);
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(commonFlags.map(([flags]) => optionFrom(flags))),
  });
  return {
    words: positionals,
    start: tokens.find(({ kind }) => kind === 'positional')?.index,
    profile: typeof values.profile === 'string' ? values.profile : undefined,
    sandbox: values.sandbox === true,
    debug: values.debug === true,
    color: values['no-color'] !== true,
    json: values.output === 'json',
  };
}

function optionFrom(flags: string) {
  const [, short, name = ''] = /^(?:-(\w), )?--([\w-]+)/.exec(flags) ?? [];
  const type = flags.includes('<') ? ('string' as const) : ('boolean' as const);
  return [name, { type, ...(short && { short }) }] as const;
}
