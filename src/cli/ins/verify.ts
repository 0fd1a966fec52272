/** `cb ins verify`: what a receiver does with a notification, step by step, and which step fails. */
import { readEnvelope } from '../../ins/envelope.ts';
import type { ExactObject } from '../../ins/event-text.ts';
import { eventTypes, isEventType } from '../../ins/event-types.ts';
import { NotificationError, type NotificationErrorReason } from '../../ins/notification-error.ts';
import { openNotification } from '../../ins/open-notification.ts';
import { headerOf, type RequestText, signatureHeaders } from '../../ins/request-text.ts';
import { eventVersions } from '../../operations/notification-versions.ts';
import {
  errorFinding,
  type Finding,
  findingResource,
  fine,
  showFindings,
  warning,
} from '../doctor/finding.ts';
import { type OutputOptions, requireShowable } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { usage } from '../runtime/failure.ts';
import { type KnownSecret, knownSecrets } from './known-secrets.ts';
import { readBody } from './read-body.ts';

export interface VerifyFlags {
  readonly requestHeader?: readonly string[];
}

export async function verifyFile(
  cmd: CommandContext,
  flags: VerifyFlags,
  output: OutputOptions,
  file: string | undefined,
): Promise<void> {
  requireShowable(output, findingResource);
  const typed = (flags.requestHeader ?? []).map(typedHeader);
  const secrets = await knownSecrets(cmd);
  const { headers, body } = await readBody(cmd, file);
  const findings = [...examined(body, secrets), signatureFinding([...headers, ...typed])];
  await showFindings(cmd, output, findings);
  if (findings.some(({ status }) => status === 'error')) cmd.endWith(exitCodes.no);
}

function typedHeader(line: string): RequestText['headers'][number] {
  const header = headerOf(line);
  if (header) return header;
  throw usage(`Invalid --request-header '${line}'.`, { hint: "Use 'Name: value'." });
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
function signatureFinding(headers: RequestText['headers']): Finding {
  const alike = signatureHeaders(headers);
  if (alike.length > 0) {
    const found = `ClickBank documents no signature, so ${alike.join(', ')} can't be checked.`;
    return warning('signature', found, 'Do not require it: genuine notifications come without.');
  }
  return fine(
    'signature',
    'There is no signature header, and ClickBank documents none. That the secret fits is the proof.',
  );
}
