/** All that a command may touch of the world outside: one value, made by main.ts and by tests. */
import type { Readable, Writable } from 'node:stream';
import type { Prompts } from './prompts.ts';

/** A stream to write to, and whether a person looks at it. */
export type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number | undefined };

export interface Context {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** What runs cb: the version of Node, as in 20.18.0. */
  readonly runtime: { readonly node: string };
  /** The user's home folder. */
  readonly home: string;
  /** Relative paths of files start here. */
  readonly folder: string;
  now(): Date;
  /** Ends what is under way: SIGINT, SIGTERM. Its reason is the exit code. */
  readonly signal: AbortSignal;
  /** Loaded when something is asked for the first time. */
  prompts(): Promise<Prompts>;
}

/** A person sits at it and may be asked. `flags.input` is false with --no-input. */
export function canAsk({ stdin, stderr, env }: Context, flags: { readonly input?: boolean }) {
  return !!stdin.isTTY && !!stderr.isTTY && !env.CI && flags.input !== false;
}

/** Colour on a stream: a terminal, and nobody asked for none. */
export function hasColor(
  { env }: Context,
  screen: Screen,
  flags: { readonly color?: boolean },
): boolean {
  return !!screen.isTTY && !env.NO_COLOR && env.TERM !== 'dumb' && flags.color !== false;
}
