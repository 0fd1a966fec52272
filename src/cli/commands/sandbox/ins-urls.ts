/** `cb sandbox ins add`, `list`, `remove` and `test`. */
import { text as textOf } from 'node:stream/consumers';
import { onePage, showPages, showText } from '../../display/show.ts';
import { readShowFlags } from '../../flags/show-flags.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { exitCodes } from '../../runtime/exit-codes.ts';
import { Failure, usage } from '../../runtime/failure.ts';
import { type DeliveryEntry, withSandbox } from '../../session/sandbox-session.ts';
import { urlRow } from './ins-rows.ts';
import { asText, type SandboxFlags } from './sandbox-command.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function urlFrom(typed: string): URL {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw usage(`Invalid <url> '${typed}'.`, {
      hint: 'Use a URL such as http://localhost:3000/ins.',
    });
  }
  if (url.username || url.password || url.hash) {
    throw usage('Invalid <url>.', {
      hint: 'Use a URL without a user name, a password, or a fragment.',
    });
  }
  return url;
}

/** A host other than this machine needs the consent of the user. */
async function allowHost(cmd: CommandContext, { hostname, host }: URL, yes?: boolean) {
  if (yes || LOOPBACK.test(hostname)) return;
  const unchanged = 'Nothing was changed.';
  if (!cmd.mayAsk) {
    throw new Failure(
      exitCodes.declined,
      `Confirmation required: ${host} is not this machine. Pass --yes to proceed.`,
      { hint: unchanged },
    );
  }
  const prompts = await cmd.context.prompts();
  if (await prompts.confirm(`Send the sandbox's notifications to ${host}, another machine?`))
    return;
  throw new Failure(exitCodes.declined, `Declined. ${unchanged}`);
}

function versionFrom(typed = '8'): number {
  if (/^[678]$/.test(typed)) return Number(typed);
  throw usage(`Invalid --event-version '${typed}'.`, { hint: 'Use 6, 7 or 8.' });
}

async function secretFrom({ context }: CommandContext, typed: string | undefined) {
  if (typed === undefined) return undefined;
  const secret = typed === '-' ? (await textOf(context.stdin)).trim() : typed;
  if (/^[A-Z0-9]{1,16}$/.test(secret)) return secret;
  throw usage('Invalid --secret.', {
    hint: 'Use at most 16 characters, all of them capital letters and digits.',
  });
}

export async function addUrl(
  cmd: CommandContext,
  flags: SandboxFlags,
  typed: string,
): Promise<void> {
  const url = urlFrom(typed);
  const version = versionFrom(flags.eventVersion);
  const given = await secretFrom(cmd, flags.secret);
  await allowHost(cmd, url, flags.yes);
  const secret = await withSandbox(cmd, async ({ notifications }) =>
    notifications.add({ url: url.href, secret: given, version }),
  ).catch((error: unknown) => {
    // Compares the name, so that the sandbox need not be loaded.
    if (!(error instanceof Error) || error.name !== 'BadInsUrl') throw error;
    throw usage(error.message, { next: 'cb sandbox ins list', cause: error });
  });
  cmd.messages.say(`The sandbox sends notifications of version ${version} to ${url.href}.`);
  if (given !== undefined) return;
  cmd.messages.say('Your receiver decrypts them with this secret key, which is not shown again:');
  await showText(cmd, asText, secret);
}

export async function listUrls(cmd: CommandContext, flags: SandboxFlags): Promise<void> {
  const output = readShowFlags(cmd, flags);
  await withSandbox(cmd, ({ notifications }) =>
    showPages(cmd, output, { resource: urlRow }, onePage(notifications.urls())),
  );
}

export async function removeUrl(cmd: CommandContext, typed: string): Promise<void> {
  const { href } = urlFrom(typed);
  await withSandbox(cmd, async ({ notifications }) => {
    if (notifications.remove(href)) return;
    throw usage(`The sandbox sends no notifications to ${href}.`, { next: 'cb sandbox ins list' });
  });
  cmd.messages.say(`The sandbox no longer sends notifications to ${href}.`);
}

export async function testUrls(cmd: CommandContext): Promise<void> {
  const sent = await withSandbox(cmd, ({ notifications }) =>
    notifications.test(cmd.context.signal),
  );
  if (sent.length === 0) {
    throw usage('The sandbox has no URL to send notifications to.', {
      next: 'cb sandbox ins add http://localhost:3000/ins',
    });
  }
  for (const each of sent) cmd.messages.say(resultOf(each));
  const failed = sent.filter(({ state }) => state !== 'delivered');
  if (failed.length > 0) {
    throw new Failure(exitCodes.network, 'The test notification was not accepted everywhere.', {
      hint: 'A receiver must answer 2xx within 3 seconds.',
    });
  }
}

function resultOf({ url, state, status, error }: DeliveryEntry): string {
  const answer = status === null ? (error ?? 'not sent yet') : `status ${status}`;
  return `${url}: ${state === 'delivered' ? 'delivered' : 'not delivered'} (${answer})`;
}
