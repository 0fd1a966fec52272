/** `cb alias …`: shortcuts for command lines. */
import { resource, text } from '../../operations/resource.ts';
import { commandNames, readArgv } from '../../shell/argv.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { usage } from '../../shell/failure.ts';
import { suggest } from '../../shell/options/nearest.ts';
import { aliasesOf, aliasName, allArguments, splitWords } from '../../shell/session/aliases.ts';
import { profilesOf } from '../../shell/session/stored-profiles.ts';

const row = resource('alias', ['name', 'command'], { name: text, command: text });

const set = command({
  words: 'alias set',
  summary: 'Add or change an alias',
  args: { '<name>': 'Name of the alias', '<command>': 'Command that it stands for, in quotes' },
  // So that the command of an alias may begin with an option: '--sandbox orders list'.
  acceptsAnyWord: true,
  help: {
    examples: ["cb alias set week 'orders list --period last-7-days'"],
    effect: 'writes',
  },
  async run(cmd, { name, command: typed }) {
    if (!aliasName.test(name)) {
      const hint = 'Start with a letter, and use only letters, digits, dashes and underscores.';
      throw usage(`Invalid alias name '${name}'.`, { hint });
    }
    if (commandNames.includes(name)) {
      throw usage(`'${name}' is a command of cb.`, { hint: 'Choose another name for the alias.' });
    }
    const line = typed.trim().replace(/^cb\s+/, '');
    const profiles = await profilesOf(cmd);
    await requireCommand(line);
    const before = profiles.aliases().get(name);
    await profiles.setAlias(name, line);
    cmd.messages.tell(
      before === undefined
        ? `Added the alias '${name}'. Run it with: cb ${name}`
        : `Changed the alias '${name}', which stood for: ${before}`,
    );
  },
});

const list = command({
  words: 'alias list',
  summary: 'List the aliases',
  rows: row,
  help: { examples: ['cb alias list', 'cb alias list -o json'] },
  run: async (cmd) => (await aliasesOf(cmd.context)).map((one) => ({ ...one })),
});

const remove = command({
  words: 'alias delete',
  summary: 'Delete an alias',
  args: { '<name>': 'Name of the alias' },
  help: { examples: ['cb alias delete week'], effect: 'destroys' },
  async run(cmd, { name }) {
    const profiles = await profilesOf(cmd);
    const aliases = profiles.aliases();
    const before = aliases.get(name);
    if (before === undefined) {
      const list = 'To list the aliases, run `cb alias list`.';
      const hint = suggest(name, [...aliases.keys()], list);
      throw usage(`There is no alias '${name}'.`, { hint });
    }
    await profiles.setAlias(name, undefined);
    cmd.messages.tell(`Deleted the alias '${name}', which stood for: ${before}`);
  },
});

export const alias: GroupSpec = {
  words: 'alias',
  help: {
    notes: [
      'In the command of an alias, $1 to $9 stand for its arguments and $@ for all of them. Arguments without a placeholder are appended. Options before the alias, such as --sandbox, count too.',
      'An alias only runs commands of cb: neither shell commands nor other aliases. If the command changes something, the alias asks or needs --yes as the command does.',
    ],
    examples: [
      "cb alias set week 'orders list --period last-7-days'",
      "cb alias set customer 'orders list --email %$1%'",
      'cb alias list',
    ],
  },
  commands: [set, list, remove],
};

/** Checks that the line starts with a command of cb, after options such as --sandbox. */
async function requireCommand(line: string): Promise<void> {
  const words = await splitWords(line);
  if (words.some((word) => word.includes(allArguments) && word !== allArguments)) {
    throw usage(`${allArguments} must be a word of its own in the command of an alias.`);
  }
  const [first] = readArgv(words).words;
  if (first === undefined) {
    const hint = "Add one, as in cb alias set week 'orders list'.";
    throw usage('The alias has no command.', { hint });
  }
  if (commandNames.includes(first)) return;
  throw usage(`Unknown command '${first}' in the alias.`, {
    hint: suggest(first, commandNames, 'To list the commands, run `cb help`.'),
  });
}
