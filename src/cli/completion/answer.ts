/** `cb __complete KIND -- WORDS`: what only this machine knows, for a completion script. */
import type { Command } from 'commander';
import type { Named } from '../../operations/resource.ts';
import { readRecent } from '../endpoint/recent.ts';
import { readArgv } from '../runtime/argv.ts';
import type { Call } from '../runtime/command-context.ts';
import { profilesOf } from '../session/session.ts';

/** What only the machine of the user knows, by the words that a completion script asks with. */
export type Dynamic = 'profiles' | Named;

const dynamicKinds: readonly Dynamic[] = [
  'profiles',
  'receipt',
  'ticket',
  'sku',
  'account',
  'image',
];

/** What is wrong is not told: it would be written into the line that a person is typing. */
export function buildAnswer(command: Command, call: Call): void {
  command
    .argument('<kind>')
    .argument('[words...]')
    .action(async (kind: string, words: readonly string[]) => {
      const known = dynamicKinds.find((one) => one === kind);
      const lines = known ? await answer(known, lookingOnly(call), words).catch(() => []) : [];
      call.context.stdout.write(lines.map((line) => `${line}\n`).join(''));
    });
}

/** Nobody would see what is to be mended, so that is left to a command that tells it. */
function lookingOnly({ context }: Call): Pick<Call, 'context'> {
  return { context: Object.create(context, { user: { value: undefined } }) };
}

async function answer(kind: Dynamic, { context }: Pick<Call, 'context'>, words: readonly string[]) {
  if (kind === 'profiles') return profileLines({ context });
  const { sandbox, profile } = readArgv(words);
  const recent = await readRecent({
    context,
    flags: { sandbox, ...(profile && { profile }) },
  });
  return recent[kind] ?? [];
}

async function profileLines(call: Pick<Call, 'context'>): Promise<string[]> {
  const profiles = await profilesOf(call);
  const stored = profiles
    .names()
    .filter(isPlain)
    .map((name) => {
      const note = name === profiles.current() ? ', in use' : '';
      return `${name}\tstored${note}`;
    });
  return [
    ...stored,
    'sandbox\tbuilt in',
    'sandbox:read-only\tbuilt in, with a key that only reads',
  ];
}

/** A person may have written another name, and it would become a part of the line. */
function isPlain(name: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,63}$/.test(name);
}
