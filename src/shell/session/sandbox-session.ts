/** The built-in profile `sandbox`: its server runs in this process during the command. */
import { join } from 'node:path';
import type { Sandbox, SandboxOptions, SeedOptions } from '../../sandbox/http/server.ts';
import { sqliteCode } from '../../storage/sqlite.ts';
import type { CommandContext, Context } from '../context.ts';
import { exitCodes, Failure, usage } from '../failure.ts';
import { dataFolder } from '../folders.ts';

export type { Sandbox };

/** Reads the clock of the sandbox without starting it; returns the real time if there is no readable store. */
export async function sandboxNow(context: Context): Promise<Date> {
  const { timeIn } = await import('../../sandbox/store/store.ts');
  return timeIn(sandboxFile(context), () => context.now());
}

/** Starts the sandbox of this user; the first time, creates its sample orders. */
async function startSandbox(
  { context, messages }: CommandContext,
  options: Partial<SandboxOptions> = {},
): Promise<Sandbox> {
  const sandbox = await import('../../sandbox/http/server.ts');
  const started = sandbox.startSandbox({
    file: sandboxFile(context),
    now: () => context.now(),
    onSeed: (orders, replaces) =>
      messages.say(
        replaces
          ? `sandbox: The stored data is from another version of cb. Replacing it with ${orders} new sample orders.`
          : `sandbox: Creating ${orders} sample orders. This happens only once.`,
      ),
    onCatchUp: () => messages.tell('sandbox: Catching up on the time since the last use.'),
    signal: context.signal,
    processes: context.processes,
    ...options,
  });
  return started.catch(unusable(context));
}

export async function withSandbox<T>(
  cmd: CommandContext,
  work: (sandbox: Sandbox) => Promise<T>,
  options?: Partial<SandboxOptions>,
): Promise<T> {
  const sandbox = await startSandbox(cmd, options);
  try {
    return await work(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** Empties the sandbox of this user and creates new sample orders; Ctrl-C leaves it unchanged. */
export async function reseedSandbox({ context, messages }: CommandContext, seed: SeedOptions) {
  const sandbox = await import('../../sandbox/http/server.ts');
  const seeded = sandbox.reseedSandbox({
    file: sandboxFile(context),
    now: () => context.now(),
    seed,
    onSeed: (orders) => messages.say(`sandbox: Creating ${orders} sample orders.`),
    signal: context.signal,
  });
  await seeded.catch(unusable(context));
}

const unusable = (context: Context) => (error: unknown) => {
  throw databaseFailure(error, `The sandbox cannot store its data in ${sandboxFile(context)}`);
};

/** Converts errors that the user can fix to a Failure, by name and code, so that the sandbox need not be loaded. */
export function databaseFailure(cause: unknown, problem: string): unknown {
  if (!(cause instanceof Error)) return cause;
  if (cause.name === 'MissingDriver') return new Failure(exitCodes.key, cause.message, { cause });
  const code = sqliteCode(cause);
  if (code === '') return cause;
  const hint = /^SQLITE_(?:CORRUPT|NOTADB)/.test(code)
    ? 'The file is damaged. Restore it from a backup, or move it away to begin with a new one.'
    : 'Free some space, or set XDG_DATA_HOME to another folder.';
  return new Failure(exitCodes.key, `${problem} (${code}).`, { hint, cause });
}

export function sandboxFile(context: Context): string {
  return join(dataFolder(context), 'sandbox.sqlite');
}

/** The built-in profile with a key of the sandbox, by the name of the key. */
export function profileOfKey(name: string): string {
  return name === 'full' ? 'sandbox' : `sandbox:${name}`;
}

/** Throws a usage failure if the sandbox has no key of that name. */
export async function sandboxKey(name: string): Promise<string> {
  const { KEYS } = await import('../../sandbox/http/keys.ts');
  const found = KEYS.find((one) => one.name === name);
  if (found) return found.key;
  const known = KEYS.map((one) => one.name).join(', ');
  throw usage(`The sandbox has no key '${name}'.`, { hint: `Its keys: ${known}.` });
}

export async function openSandbox(cmd: CommandContext, keyName: string) {
  const key = await sandboxKey(keyName);
  const { url: baseUrl, close } = await startSandbox(cmd);
  return { profile: profileOfKey(keyName), baseUrl, key, close };
}
