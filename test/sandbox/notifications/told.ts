/** A sandbox that tells a receiver of its events. */
import { expect } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/http/server.ts';
import { openSandbox, post } from '../raw.ts';
import { type Notification, type Receiver, receive, SECRET } from './receiver.ts';

export const HOUR = 3600;

export interface TellingSandbox {
  readonly sandbox: Sandbox;
  readonly to: Receiver;
}

export async function told(
  options: Partial<SandboxOptions> & { readonly version?: number; readonly to?: Receiver } = {},
): Promise<TellingSandbox> {
  const { version = 8, to = await receive(), ...others } = options;
  const sandbox = await openSandbox(others);
  sandbox.notifications.add({ url: to.url, secret: SECRET, version });
  return { sandbox, to };
}

/** Everything that is due is sent before the test notification. */
export async function eventsOf({ sandbox, to }: TellingSandbox): Promise<Notification[]> {
  await sandbox.notifications.test();
  return to.events().filter(({ transactionType }) => transactionType !== 'TEST');
}

/** `path` is below `/rest/1.3/`. */
export async function change(sandbox: Sandbox, path: string): Promise<string> {
  const { status, text } = await post(sandbox, `/rest/1.3/${path}`);
  expect([path, status < 300, text]).toEqual([path, true, text]);
  return text;
}

export const brief = ({ transactionType, receipt }: Notification) =>
  `${transactionType} ${receipt}`;

/** Every entry of the log, the latest events first. */
export const logOf = ({ notifications }: Sandbox) => [...notifications.log()].flat();
