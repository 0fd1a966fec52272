/** `cb ins verify`: what a receiver does with a notification, step by step, and which step fails. */

import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { eventVersions } from '../../operations/notification-versions.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import { onePage } from '../../output/stream.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { showPages, showValue } from '../../shell/display/show.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure, usage } from '../../shell/failure.ts';
import { pathOf } from '../../shell/folders.ts';
import { type OutputOptions, requireShowable } from '../../shell/options/show-flags.ts';
import { shownCode } from '../../storage/error-code.ts';
import {
  errorFinding,
  type Finding,
  findingResource,
  fine,
  showFindings,
  warning,
} from '../setup/finding.ts';
import type { ExactObject } from './event-text.ts';
import { eventTypes, isEventType } from './event-types.ts';
import { eventResource } from './journal/event-rows.ts';
import { NotificationError, type NotificationErrorReason } from './notification-error.ts';
import { openNotification, readEnvelope } from './open-notification.ts';
import { type KnownSecret, knownSecrets } from './secret-commands.ts';

export async function verifyFile(
  cmd: CommandContext,
  output: OutputOptions,
  file: string | undefined,
): Promise<void> {
  requireShowable(output, findingResource);
  const secrets = await knownSecrets(cmd);
  const findings = [...examined(await readBody(cmd, file), secrets), noSignature];
  await showFindings(cmd, output, findings);
  if (findings.some(({ status }) => status === 'error')) cmd.endWith(exitCodes.no);
}

/** The steps in the order in which a receiver takes them, with what a step that works has found. */
const steps: readonly (readonly [reason: NotificationErrorReason, found: string])[] = [
  ['body', 'The body is a JSON object.'],
  ['fields', 'It has `notification` and `iv`.'],
  ['base64', 'Both are base64.'],
  ['iv', 'The IV has 16 bytes.'],
  ['length', 'The encrypted text is complete: it consists of blocks of 16 bytes.'],
  ['key', 'The padding is right.'],
  ['utf-8', 'The decrypted text is UTF-8.'],
  ['json', 'The decrypted text is a JSON object.'],
];

/** Ends with the step that fails, because later steps need it. */
function examined(body: string, secrets: readonly KnownSecret[]): readonly Finding[] {
  try {
    const { exact, secret } = openNotification(
      body,
      secrets.map(({ secret }) => secret),
    );
    const key = fine('key', `The secret '${secrets[secret]?.name}' fits.`);
    const passed = steps.map(([check, found]) => (check === 'key' ? key : fine(check, found)));
    return [...passed, ...ivFindings(body), ...eventFindings(exact)];
  } catch (error) {
    if (!(error instanceof NotificationError)) throw error;
    const at = steps.findIndex(([reason]) => reason === error.reason);
    const passed = steps.slice(0, at).map(([check, found]) => fine(check, found));
    const tried =
      error.reason === 'key' ? ` Tried: ${secrets.map(({ name }) => name).join(', ')}.` : '';
    const failed = errorFinding(error.reason, error.detail + tried, error.hint ?? '', exitCodes.no);
    return [...passed, failed];
  }
}

function ivFindings(body: string): readonly Finding[] {
  const iv = Buffer.from(readEnvelope(body).iv).toString('latin1');
  if (/^[0-9a-f]{16}$/i.test(iv)) return [];
  const fix = 'Nothing to fix: the cipher takes any 16 bytes.';
  return [warning('iv', 'ClickBank sends 16 hexadecimal digits; this IV has other bytes.', fix)];
}

function eventFindings({ transactionType, version, receipt }: ExactObject): readonly Finding[] {
  const type = String(transactionType);
  const isVersion = eventVersions.some((known) => known === Number(version));
  return [
    isEventType(type)
      ? fine('type', `${type}: ${eventTypes[type].meaning}.`)
      : warning('type', 'The type is not one that cb knows.', 'Ignore unknown types; answer 200.'),
    isVersion
      ? fine('version', `Version ${Number(version)}.`)
      : warning('version', 'The version is not 6, 7 or 8.', 'Read the fields that you know.'),
    receipt === undefined
      ? warning('receipt', 'The event has no receipt.', 'Expect that fields are missing.')
      : fine('receipt', String(receipt)),
  ];
}

/** Programs that look for a signature refuse genuine notifications. */
const noSignature = fine(
  'signature',
  'There is nothing to check: ClickBank documents no signature. That the secret fits is the proof.',
);

export async function decryptFile(
  cmd: CommandContext,
  output: OutputOptions,
  file: string | undefined,
): Promise<void> {
  const secrets = await knownSecrets(cmd);
  const { exact, secret } = opened(
    await readBody(cmd, file),
    secrets.map(({ secret }) => secret),
  );
  cmd.messages.tell(`Decrypted with the secret '${secrets[secret]?.name}'.`);
  const { format, fields, query, expand, limit, sort } = output;
  const isShaped = [fields, query, expand, limit, sort].some((option) => option !== undefined);
  if (format === 'json' && !isShaped) await showValue(cmd, output, exact as Value);
  else await showPages(cmd, output, { resource: eventResource }, onePage([exact as Row]));
}

function opened(body: string, secrets: readonly string[]) {
  try {
    return openNotification(body, secrets);
  } catch (error) {
    if (!(error instanceof NotificationError)) throw error;
    const isOther = error.reason === 'key' && secrets.length > 1;
    const message = isOther
      ? `None of the ${secrets.length} known secrets decrypts the notification.`
      : error.detail;
    const isKey = error.reason === 'key' || error.reason === 'secret';
    const code = isKey ? exitCodes.key : exitCodes.failed;
    throw new Failure(code, message, { hint: error.hint, next: 'cb ins verify' });
  }
}

/** From a file, or from stdin for `-`. Without a file, stdin is read unless it is a terminal. */
async function readBody(cmd: CommandContext, file: string | undefined): Promise<string> {
  const { stdin } = cmd.context;
  if (file !== undefined && file !== '-') {
    const path = pathOf(cmd.context, file);
    try {
      return bodyIn(readFileSync(path, 'utf8'));
    } catch (error) {
      throw usage(`Can't read ${path} (${shownCode(error)}).`, { hint: 'Check the path.' });
    }
  }
  if (file === undefined && stdin.isTTY) {
    throw usage('The notification is missing.', {
      hint: 'Name a file with the body of the request, or pass the body on stdin.',
    });
  }
  return bodyIn(await text(stdin));
}

/** The text without the lines of a request before its body: `POST /ins HTTP/1.1`, headers, and an empty line. */
function bodyIn(text: string): string {
  const head = /^\s*(?:[A-Z]+ \S+ HTTP\/[\d.]+\r?\n)?(?:[\w!#$%&'*+.^`|~-]+:.*\r?\n)*\r?\n/;
  return text.replace(head, '');
}
