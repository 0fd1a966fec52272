/** `cb` without arguments: shows what to do next, depending on the stored profiles. */
import { isBuiltIn } from '../../profiles/credentials.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes, failureFrom, usage } from '../failure.ts';
import { profilesOf, selectedProfile } from '../session/stored-profiles.ts';
import { type Block, textOf } from './blocks.ts';

/** Reads only this machine. Sets the exit code of a faulty configuration. */
export async function showFirstScreen(cmd: CommandContext): Promise<void> {
  const { stdout } = cmd.context;
  const blocks = [title, ...(await blocksFor(cmd)), onward];
  stdout.write(`${textOf(blocks, stdout.columns ?? 80)}\n`);
}

const title = 'cb is the command line for ClickBank vendors and affiliates.';
const onward = 'All commands: cb --help. Topics such as dates and output: cb help dates.';

async function blocksFor(cmd: CommandContext): Promise<Block[]> {
  const { flags, context } = cmd;
  const typed = flags.sandbox ? 'sandbox' : flags.profile;
  if (typed === undefined && context.env.CB_API_KEY !== undefined) {
    return nextSteps('Using the API key in CB_API_KEY.', 'cb');
  }
  try {
    const profiles = await profilesOf(cmd);
    const names = profiles.names();
    const name = typed ?? selectedProfile(context, profiles);
    if (name === undefined) {
      if (names.length === 0) return beginning;
      const lines = names.map((one) => [`cb profiles use ${one}`, 'make it the current profile']);
      return ['No profile is selected. Select one:', Object.fromEntries(lines)];
    }
    if (!isBuiltIn(name) && !profiles.get(name)) throw usage(`There is no profile '${name}'.`);
    const named = flags.sandbox ? 'cb --sandbox' : `cb --profile ${name}`;
    const program = typed === undefined ? 'cb' : named;
    return nextSteps(`Using profile '${name}'.`, program);
  } catch (error) {
    cmd.endWith(exitCodes.key);
    return [
      `There is a problem with the configuration: ${failureFrom(error).message}`,
      'To find the cause and how to fix it:',
      { 'cb doctor': 'check the configuration, the profiles and the environment' },
    ];
  }
}

const beginning: Block[] = [
  'No API key is stored yet. To get started:',
  {
    'cb --sandbox today': 'try cb without an account, with sample orders',
    'cb login': 'store your API key (ClickBank website, Settings, API Management)',
  },
];

function nextSteps(used: string, program: string): Block[] {
  return [
    `${used} Try:`,
    {
      [`${program} today`]: 'what you earned today',
      [`${program} summary --period this-month`]: 'this month, compared with last month',
      [`${program} tickets work`]: 'answer, refund and close one open ticket after the other',
      [`${program} find <email or receipt>`]: 'the orders and tickets of a customer',
    },
  ];
}
