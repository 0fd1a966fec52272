/** `cb ins verify`: what a receiver does with a notification, step by step, and which step fails. */

import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { eventVersions } from '../../operations/notification-versions.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import { onePage } from '../../output/stream.ts';
import type { CommandContext } from '../../shell/context.ts';
import { showPages, showValue } from '../../shell/display/show.ts';
import { exitCodes, Failure, usage } from '../../shell/failure.ts';
import { pathOf } from '../../shell/folders.ts';
import { type OutputOptions, requireShowable } from '../../shell/options/show-flags.ts';
import { shownCode } from '../../storage/files.ts';
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
import { alteredCopy, readableTime } from './journal/journal.ts';
import { NotificationError, type NotificationErrorReason } from './notification-error.ts';
import { openNotification } from './open-notification.ts';
import { type KnownSecret, knownSecrets } from './secret-commands.ts';

export async function verifyFile(
  cmd: CommandContext,
  output: OutputOptions,
  file: string | undefined,
): Promise<void> {
  requireShowable(output, findingResource);
  const secrets = await knownSecrets(cmd);
  const { headers, body } = await readBody(cmd, file);
  const findings = [...examined(body, secrets), signatureFinding(headers)];
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
    const { exact, name } = opened(body, secrets);
    const key = fine('key', `The secret '${name}' fits.`);
    const passed = steps.map(([check, found]) => (check === 'key' ? key : fine(check, found)));
    return [...passed, ...eventFindings(exact)];
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

function eventFindings(event: ExactObject): readonly Finding[] {
  const { transactionTime: time, transactionType, version, receipt } = event;
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
    readableTime(String(time)) === ''
      ? warning('time', 'The event has no readable transactionTime.', alteredCopy)
      : fine('time', String(time)),
  ];
}

/** Programs that look for a signature refuse genuine notifications. */
function signatureFinding(headers: RequestText['headers']): Finding {
  const names = headers.map(([name]) => name);
  const alike = names.filter((name) => /sign|hmac|digest|hash|auth/i.test(name)).join(', ');
  if (alike === '')
    return fine('signature', 'There is no signature header, and ClickBank documents none.');
  const found = `ClickBank documents no signature, so ${alike} can't be checked.`;
  return warning('signature', found, 'Do not require it: genuine notifications have none.');
}

export async function decryptFile(cmd: CommandContext, output: OutputOptions, file?: string) {
  const secrets = await knownSecrets(cmd);
  const { body } = await readBody(cmd, file);
  const { exact, name } = decrypted(body, secrets);
  cmd.messages.tell(`Decrypted with the secret '${name}'.`);
  const { format, fields, query, expand, limit, sort } = output;
  const isShaped = [fields, query, expand, limit, sort].some((option) => option !== undefined);
  if (format === 'json' && !isShaped) await showValue(cmd, output, exact as Value);
  else await showPages(cmd, output, { resource: eventResource }, onePage([exact as Row]));
}

/** The event, and the name of the secret that fits. Throws a NotificationError. */
function opened(body: string, secrets: readonly KnownSecret[]) {
  const texts = secrets.map(({ secret }) => secret);
  const { exact, secret } = openNotification(body, texts);
  return { exact, name: secrets[secret]?.name };
}

function decrypted(body: string, secrets: readonly KnownSecret[]) {
  try {
    return opened(body, secrets);
  } catch (error) {
    if (!(error instanceof NotificationError)) throw error;
    const isKey = error.reason === 'key';
    const none = `None of the ${secrets.length} known secrets decrypts the notification.`;
    const message = isKey && secrets.length > 1 ? none : error.detail;
    const code = isKey ? exitCodes.key : exitCodes.failed;
    throw new Failure(code, message, { hint: error.hint, next: 'cb ins verify' });
  }
}

/** From a file, or from stdin for `-`. Without a file, stdin is read unless it is a terminal. */
async function readBody(cmd: CommandContext, file: string | undefined): Promise<RequestText> {
  const { stdin } = cmd.context;
  if (file !== undefined && file !== '-') {
    const path = pathOf(cmd.context, file);
    try {
      return readRequestText(readFileSync(path, 'utf8'));
    } catch (error) {
      throw usage(`Can't read ${path} (${shownCode(error)}).`, { hint: 'Check the path.' });
    }
  }
  if (file === undefined && stdin.isTTY) {
    throw usage('The notification is missing.', {
      hint: 'Name a file with the body of the request, or pass the body on stdin.',
    });
  }
  return readRequestText(await text(stdin));
}

interface RequestText {
  /** Names and values in the order received; empty if the text is only a body. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Text that begins with a header or with a line such as `POST /ins HTTP/1.1` has headers up to the first empty line. */
function readRequestText(text: string): RequestText {
  const [, head, body = ''] = /^([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(text.trimStart()) ?? [];
  const lines = head?.split(/\r?\n/) ?? [];
  const fields = lines.filter((line) => !/^[A-Z]+ \S+ HTTP\/[\d.]+$/.test(line)).map(headerOf);
  const headers = fields.filter((header) => header !== undefined);
  const isRequest = lines.length > 0 && headers.length === fields.length;
  return isRequest ? { headers, body } : { headers: [], body: text };
}

function headerOf(line: string): readonly [name: string, value: string] | undefined {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/.exec(line) ?? [];
  return name === undefined || value === undefined ? undefined : [name, value.trim()];
}
