/** A lock on a file that dies with its process: a local socket that only one can listen on. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Context } from './context.ts';
import { usage } from './failure.ts';

const pause = 20;
const aMoment = 3;
const halfAMinute = 1500;

/** Holds the lock until it is released; throws where another process holds it. */
export async function lock(context: Context, path: string): Promise<() => Promise<void>> {
  // A program that is just being started holds for a moment what was open when it was begun.
  const release = await lockWithin(aMoment, context, path);
  if (release) return release;
  throw usage(`another cb is at work on ${path}`, {
    hint: 'wait for it to end; nothing was sent',
  });
}

/** The same for what takes a moment: waits its turn, and throws only where that takes half a minute. */
export async function lockInTurn(context: Context, path: string): Promise<() => Promise<void>> {
  const release = await lockWithin(halfAMinute, context, path);
  if (release) return release;
  throw usage(`other cb processes keep ${path} busy`, { hint: 'nothing was changed; try again' });
}

/** Undefined where it was held whenever it was asked for, after so many tries. */
async function lockWithin(
  most: number,
  { platform }: Context,
  path: string,
): Promise<(() => Promise<void>) | undefined> {
  const address = addressOf(platform, path);
  for (let tries = 1; ; tries++) {
    const server = (await listenOn(address)) ?? (await takeOver(address));
    if (server) return releaseOf(server);
    if (tries === most) return undefined;
    await setTimeout(pause);
  }
}

function releaseOf(server: Server): () => Promise<void> {
  server.unref();
  return () => new Promise((done) => server.close(() => done()));
}

/** Linux and Windows have names that vanish by themselves; elsewhere a socket file stays behind. */
function addressOf(platform: string, path: string): string {
  const name = `cb-${createHash('sha256').update(path).digest('hex').slice(0, 24)}`;
  if (platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return platform === 'linux' ? `\0${name}` : join(tmpdir(), name);
}

function listenOn(address: string): Promise<Server | undefined> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') done(undefined);
      else fail(error);
    });
    server.listen(address, () => done(server));
  });
}

/** A socket file at which nobody answers was left behind. */
async function takeOver(address: string): Promise<Server | undefined> {
  const isLeft = await new Promise<boolean>((done) => {
    const socket = createConnection(address, () => {
      socket.destroy();
      done(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code === 'ECONNREFUSED'));
  });
  if (!isLeft || address.startsWith('\0')) return undefined;
  await rm(address, { force: true });
  return listenOn(address);
}
