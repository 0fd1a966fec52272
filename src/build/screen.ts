/** Runs cb in this process with a terminal that records its output. */
import { Readable, Writable } from 'node:stream';
import { run } from '../run.ts';
import type { Context } from '../shell/context.ts';
import { splitWords } from '../shell/session/aliases.ts';

export interface Screen {
  /** The home folder of the session: profiles, sandbox and files. */
  readonly home: string;
  readonly columns: number;
  readonly now: () => Date;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: `linux`. */
  readonly platform?: NodeJS.Platform;
  /** What a person types; default: nothing. */
  readonly stdin?: Context['stdin'];
  /** Called with each text when it is written. */
  readonly onText?: (text: string) => void;
}

/** Runs `cb …` as typed and returns what stdout and stderr show, in order. */
export async function runOnScreen(screen: Screen, line: string): Promise<string> {
  let text = '';
  const stream: Writable & Context['stdout'] = Object.assign(
    new Writable({
      write(chunk, _, done) {
        // A slow machine would show progress lines, which a terminal erases again.
        if (!String(chunk).startsWith('\r')) {
          text += String(chunk);
          screen.onText?.(String(chunk));
        }
        done();
      },
    }),
    // A terminal stays open when a prompt is answered.
    { isTTY: true, columns: screen.columns, end: () => stream },
  );
  await run((await splitWords(line)).slice(1), contextOf(screen, stream));
  return text;
}

function contextOf(screen: Screen, stream: Writable & Context['stdout']): Context {
  const { home, now, env, platform, stdin = Readable.from([]) } = screen;
  const { signal } = new AbortController();
  return {
    runtime: { node: '20.18.0' },
    user: undefined,
    processes: { own: 1, isRunning: () => true },
    zone: 'America/Los_Angeles',
    signal,
    startQueries: () => Promise.reject(new Error('no queries')),
    prompts: async () => {
      const { promptsOn } = await import('../shell/terminal/prompts.ts');
      return promptsOn({ stdin, stderr: stream, signal });
    },
    stdin,
    stdout: stream,
    stderr: stream,
    env: { CB_PROFILE: 'sandbox', LANG: 'C.UTF-8', ...env },
    platform: platform ?? 'linux',
    home,
    folder: home,
    now,
  };
}
