/** `cb` alone: what to do next, by what is there already. */
import type { Profiles } from '../../profiles/credentials.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { failureFrom } from '../runtime/failure.ts';
import { profilesOf } from '../session/stored-profiles.ts';
import { type Block, textOf } from './blocks.ts';

/** Looks only at this machine. Ends with the code of a faulty configuration where there is one. */
export async function showFirstScreen(cmd: CommandContext): Promise<void> {
  const { stdout } = cmd.context;
  const blocks = [title, ...(await blocksFor(cmd)), onward];
  stdout.write(`${textOf(blocks, stdout.columns ?? 80)}\n`);
}

const title = 'cb, the command line for ClickBank vendors and affiliates';
const onward =
  'All commands: cb --help. Topics: cb help dates, output, exit-codes, safety, sandbox.';

async function blocksFor(cmd: CommandContext): Promise<Block[]> {
  const { flags, context } = cmd;
  const typed = flags.sandbox ? 'sandbox' : flags.profile;
  if (typed === undefined && context.env.CB_API_KEY !== undefined) {
    return nextSteps('The key in CB_API_KEY is used.', 'cb');
  }
  try {
    const profiles = await profilesOf(cmd);
    const name = typed ?? context.env.CB_PROFILE ?? profiles.current();
    if (name === undefined) return profiles.names().length > 0 ? choice(profiles) : beginning;
    if (!isBuiltIn(name) && !profiles.get(name))
      return toMend(cmd, `there is no profile '${name}'`);
    const program = typed === undefined ? 'cb' : `cb --profile ${name}`;
    return nextSteps(`Profile '${name}' is used.`, program);
  } catch (error) {
    return toMend(cmd, failureFrom(error).message);
  }
}

const beginning: Block[] = [
  'There is no API key yet. Two ways to begin:',
  {
    'cb --sandbox orders list --period last-7-days':
      'on the sandbox: the whole service on this machine, with made-up orders',
    'cb login': 'with your account: store its API key, which the website has under Settings',
  },
];

function nextSteps(used: string, program: string): Block[] {
  return [
    `${used} Three things to try:`,
    {
      [`${program} orders list --period last-7-days`]: 'what was sold and paid back this week',
      [`${program} quickstats list --period this-month`]: 'the month, day by day, with its total',
      [`${program} tickets list --status open`]: 'refunds and cancellations that wait',
    },
  ];
}

function choice(profiles: Profiles): Block[] {
  const names = profiles.names();
  return [
    'No profile is in use. Choose one:',
    Object.fromEntries(names.map((name) => [`cb profiles use ${name}`, 'from now on'])),
  ];
}

function toMend({ endWith }: CommandContext, problem: string): Block[] {
  endWith(exitCodes.key);
  return [
    `Something is wrong with the set-up: ${problem}.`,
    'Find out what, and what mends it:',
    { 'cb doctor': 'looks at the configuration, the profiles and the environment' },
  ];
}
