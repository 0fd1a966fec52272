/** Runs a command line of the user by the shell, in a process group of its own. */
import { spawn } from 'node:child_process';
import { pathWithCb } from '../../shell/own-program.ts';

/** How a command has ended. */
export type Outcome =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'not-started'; readonly reason: string };

export interface RunningCommand {
  /** Never rejects. */
  readonly ended: Promise<Outcome>;
  /** Sends a signal to the command and to the programs that it has started. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

type Host = Pick<typeof process, 'env' | 'platform' | 'kill' | 'once'>;

/** Commands that must not outlive cb, even if it ends at once. */
const running = new Set<RunningCommand>();
const watched = new WeakSet<Host>();

/**
 * Passes `input` on standard input, so that no part of it is ever part of a command line. Both outputs go to
 * stderr: stdout is for the rows. The API key and the secret of notifications are not
 * passed on. `own` is the path of cb.
 */
export function startShell(line: string, input: string, host: Host, own?: string): RunningCommand {
  if (!watched.has(host)) {
    watched.add(host);
    host.once('exit', () => {
      for (const command of running) command.kill('SIGKILL');
    });
  }
  const { CB_API_KEY: _, CB_INS_SECRET: _secret, ...others } = host.env;
  const env = { ...others, PATH: pathWithCb(own, host.env.PATH) };
  const isGroup = host.platform !== 'win32';
  const child = spawn(line, { env, shell: true, detached: isGroup, stdio: ['pipe', 2, 2] });
  // A command that does not read its input closes the pipe.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const command: RunningCommand = {
    ended: new Promise((done) => {
      child.on('error', ({ message }) => done({ kind: 'not-started', reason: message }));
      child.on('exit', (code, signal) =>
        done(code === null ? { kind: 'killed', signal: signal ?? '' } : { kind: 'exited', code }),
      );
    }),
    kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      if (!isGroup || child.pid === undefined) {
        child.kill(signal);
        return;
      }
      try {
        // A shell does not pass signals on to its programs.
        host.kill(-child.pid, signal);
      } catch {
        // It has just ended.
      }
    },
  };
  running.add(command);
  void command.ended.then(() => running.delete(command));
  return command;
}
