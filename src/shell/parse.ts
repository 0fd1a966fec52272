/**
 * Parses a line with commander and runs its command. commander gets the line as it was typed, after aliases, and is the
 * only parser; a command gets its options when commander comes to it. Throws a Mistake for a line that it refuses.
 */
import { Command, CommanderError, type Option } from 'commander';
import { optionFlags } from '../output/options.ts';
import type { Value } from '../output/rows/rows.ts';
import { onePage } from '../output/stream.ts';
import { isFormat } from './argv.ts';
import { type Call, type CommonFlags, contextFor } from './context.ts';
import { type Answer, type Branch, helpOption, type ReturnedRows, showsOf } from './define.ts';
import { showFields, showPages, showText, showValue } from './display/show.ts';
import { usage } from './failure.ts';
import { type Typed, watchOptions } from './options/flags.ts';
import { type OutputOptions, readShowFlags, type ShowFlags } from './options/show-flags.ts';
import { version } from './version.ts';

/** A line that commander refuses, in which an option lacks its value, or which requests help. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
  readonly branch: Branch;
  /** The code of commander, such as unknownOption, or `help`: so only such a call loads the code for help. */
  readonly refusal: string;
  /** The option or argument that is wrong, as the help writes it or as it was typed. */
  readonly named: string;
  /** What commander has left for the command: words, and options that it does not know. */
  readonly left: readonly string[];

  constructor(branch: Branch, refusal: string, named = '', left: readonly string[] = []) {
    super(`${refusal}: ${named}`);
    this.branch = branch;
    this.refusal = refusal;
    this.named = named;
    this.left = left;
  }

  /** It requests help and nothing else: it names no command of the group after an option. */
  get isHelp(): boolean {
    const mayMeanMore = this.branch.isGroup && this.left.some((word) => !word.startsWith('-'));
    return this.refusal === 'help' && !mayMeanMore;
  }
}

/** Runs the command that the line names; with `isCorrected`, only one that reads. */
export async function parseLine(
  line: readonly string[],
  root: Branch,
  call: Call,
  isCorrected = false,
): Promise<void> {
  const actionFor = (branch: Branch, made: Command) => {
    const action = actionOf(branch, made, call);
    if (!action) return undefined;
    return () => {
      if (isCorrected && branch.isWrite) throw usage(`Type '${branch.line}' as its help shows it.`);
      call.context.command = branch.path;
      return action();
    };
  };
  const program = parserOf(line, root, actionFor, (text) => call.context.stdout.write(text));
  await program.parseAsync([...line], { from: 'user' });
}

/** `actionFor` returns what a command does once its options are read. */
export function parserOf(
  line: readonly string[],
  root: Branch,
  actionFor: (branch: Branch, made: Command) => (() => unknown) | undefined,
  write: (text: string) => void = () => undefined,
): Command {
  const branches = new Map<Command, Branch>();
  const make = (branch: Branch) => {
    const made = newCommand(branch, write);
    branches.set(made, branch);
    return made;
  };
  const fill = (made: Command) => {
    const branch = branches.get(made);
    if (!branch) return;
    refuseMissingValues(line, branch);
    for (const argument of branch.args) made.addArgument(argument);
    for (const option of branch.options) made.addOption(option);
    watchOptions(made);
    if ('acceptsAnyWord' in branch.spec) made.allowUnknownOption();
    for (const one of branch.commands) made.addCommand(make(one));
    made.hook('preSubcommand', (_, next) => fill(next));
    const action = actionFor(branch, made);
    if (action) {
      made.action(() => {
        refuseOptionsOfGroup(made, branch);
        return action() as Promise<void>;
      });
    }
  };
  const program = make(root);
  fill(program);
  readProgramOptions(program, line, root, write);
  return program;
}

/** A command without options. Errors are thrown, and reported in one place. */
function newCommand(branch: Branch, writeOut: (text: string) => void): Command {
  const command = new Command(branch.name);
  return command
    .exitOverride((error) => {
      if (error.exitCode === 0) throw error;
      // The name that is wrong stands between quotes; commander does not report it otherwise.
      const [, named = ''] = /'(.*)'/s.exec(error.message) ?? [];
      throw new Mistake(branch, error.code.replace('commander.', ''), named, command.args);
    })
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .configureHelp({
      formatHelp: () => {
        const [first = '-'] = command.args;
        // For `cb orders lst --help`, commander would show the help of the group.
        const isHelp = !branch.isGroup || first.startsWith('-');
        throw new Mistake(branch, isHelp ? 'help' : 'unknownCommand', first, command.args);
      },
    })
    .configureOutput({ writeOut, writeErr: () => undefined, getOutHasColors: () => false })
    .addHelpOption(helpOption);
}

/** `--json` and the like are `--output json`. `-o=json` is refused: commander takes `=json` for the value. */
function readProgramOptions(
  program: Command,
  line: readonly string[],
  root: Branch,
  write: (text: string) => void,
): void {
  program.on('option:version', () => {
    const at = line.findIndex((token) => /^(-V|--version$)/.test(token));
    const value = at < 0 ? '' : line[at]?.replace(/^(-V|--version)/, '') || (line[at + 1] ?? '');
    // It may be meant for the command, which would then do nothing, with the exit code of success.
    if (/^[^-]/.test(value)) {
      const below = (branch: Branch, token: string) =>
        branch.commands.find(({ name }) => name === token) ?? branch;
      throw new Mistake(line.reduce(below, root), 'unknownOption', `--version=${value}`);
    }
    write(`${version}\n`);
    throw new CommanderError(0, 'commander.version', version);
  });
  for (const { long = '' } of program.options) {
    if (!isFormat(long)) continue;
    const format = long.slice(2);
    program.on(`option:${format}`, () => program.setOptionValueWithSource('output', format, 'cli'));
  }
  program.on('option:output', (value: string) => {
    if (/^(=|utput$)/.test(value)) throw new Mistake(root, 'unknownOption', `-o${value}`);
  });
}

/**
 * Throws a Mistake if the token after an option that needs a value is another option or `--`: `--comment=--json` is the
 * way to type such a value. commander reads the options of the program before those of the command, so that it would take
 * the token after the next one for the value.
 */
function refuseMissingValues(line: readonly string[], branch: Branch): void {
  const options = branch.allOptions;
  const tokens = untilEnd(line);
  for (let at = 0; at < tokens.length; at++) {
    const option = options.find((one) => isNamed(one, tokens[at] ?? ''));
    if (!option?.required) continue;
    const next = line[at + 1];
    if (next === undefined || next === '--' || isOption(next, options)) {
      throw new Mistake(
        branch,
        'optionMissingArgument',
        option.flags,
        next === undefined ? [] : [next],
      );
    }
    at++;
  }
}

/** Also with its value attached, as in `-n5`. Those of the output count everywhere: `--limit=5` is no comment. */
function isOption(token: string, options: readonly Option[]): boolean {
  const [name = ''] = token.split('=');
  const isOfOutput = Object.values(optionFlags).includes(name) || /^-n\d+$/.test(token);
  if (isFormat(token) || isOfOutput || isNamed(helpOption, name)) return true;
  const names = /^-[A-Za-z]/.test(token) ? [name, token.slice(0, 2)] : [name];
  return options.some((option) => names.some((one) => isNamed(option, one)));
}

export function isNamed({ short, long }: Option, typed: string): boolean {
  return short === typed || long === typed;
}

export function untilEnd(tokens: readonly string[]): readonly string[] {
  return tokens.includes('--') ? tokens.slice(0, tokens.indexOf('--')) : tokens;
}

/** commander gives the options of a group that can be run to the group, also if they stand after a command below it. */
function refuseOptionsOfGroup({ parent, options }: Command, branch: Branch): void {
  if (!parent || branch.parent?.isGroup) return;
  const typed = parent.options.find(
    (option) =>
      parent.getOptionValueSource(option.attributeName()) === 'cli' &&
      !options.some(({ long }) => long === option.long),
  );
  if (typed) throw new Mistake(branch, 'unknownOption', typed.long);
}

/** For commands without output options. */
const plainOutput: OutputOptions = {
  format: 'tsv',
  totals: false,
  csv: { bom: false, crlf: false },
};

function actionOf({ spec }: Branch, made: Command, call: Call): (() => unknown) | undefined {
  if ('start' in spec) return () => spec.start(contextFor(call, made.opts()));
  if (!spec.run) return undefined;
  return async () => {
    const given = made.optsWithGlobals<CommonFlags & ShowFlags & Typed>();
    const cmd = contextFor(call, given);
    const shows = showsOf(spec);
    // The values of the arguments by their names; undefined for one that was not typed.
    const args = made.registeredArguments.map((argument, i) => {
      const value = made.processedArgs[i];
      const isNone = Array.isArray(value) && value.length === 0;
      return [argument.name(), isNone ? undefined : value];
    });
    const typed = { ...given, ...Object.fromEntries(args) };
    const { fields, columns = fields, ...others } = given;
    if (columns === 'help') {
      const { shape, layouts = false } = shows ?? {};
      if (!shape) throw usage('The columns depend on the query. Use -o json to see them.');
      return showFields(cmd, readShowFlags(cmd, others, { rows: true, layouts }), shape(typed));
    }
    const output = shows ? readShowFlags(cmd, given, shows, spec.format) : plainOutput;
    const answer: Answer = await spec.run(cmd, typed, output);
    if (spec.rows) {
      const { rows, note } = Array.isArray(answer) ? { rows: answer } : (answer as ReturnedRows);
      await showPages(cmd, output, { resource: spec.rows }, onePage(rows));
      if (note !== undefined) cmd.messages.tell(note);
    } else if (spec.value && answer !== undefined) {
      await showValue(cmd, output, answer as Value);
    } else if (typeof answer === 'string') await showText(cmd, output, answer);
  };
}
