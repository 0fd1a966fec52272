/** Runs cb in this process with a terminal that records its output. */
import { Readable, Writable } from 'node:stream';
import { run } from '../run.ts';
import type { Context } from '../shell/context.ts';

export interface Screen {
  /** The home folder of the session: profiles, sandbox and files. */
  readonly home: string;
  readonly columns: number;
  readonly now: () => Date;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: `linux`. */
  readonly platform?: NodeJS.Platform;
}

/** Runs `cb …` as typed and returns what stdout and stderr show, in order. Single quotes group words. */
export async function runOnScreen(screen: Screen, line: string): Promise<string> {
  let text = '';
  const stream = Object.assign(
    new Writable({
      write(chunk, _, done) {
        // A slow machine would show progress lines, which a terminal erases again.
        if (!String(chunk).startsWith('\r')) text += String(chunk);
        done();
      },
    }),
    { isTTY: true, columns: screen.columns },
  );
  await run(wordsOf(line).slice(1), contextOf(screen, stream));
  return text;
}

/** Breaks a long command between words with a backslash, as people do in a shell. */
export function wrapCommand(command: string, columns: number): string {
  const lines: string[] = [];
  let last = '';
  for (const word of command.split(' ')) {
    const longer = last === '' ? word : `${last} ${word}`;
    if (longer.length > columns - 6) {
      lines.push(last);
      last = `    ${word}`;
    } else last = longer;
  }
  return [...lines, last].join(' \\\n');
}

/** Creates the context. Standard input is empty, so nothing waits for input. */
function contextOf({ home, now, env, platform }: Screen, stream: Context['stdout']): Context {
  return {
    runtime: { node: '20.18.0' },
    user: undefined,
    processes: { own: 1, isRunning: () => true },
    zone: 'America/Los_Angeles',
    signal: new AbortController().signal,
    startQueries: () => Promise.reject(new Error('no queries')),
    prompts: () => Promise.reject(new Error('no prompts')),
    stdin: Readable.from([]),
    stdout: stream,
    stderr: stream,
    env: { CB_PROFILE: 'sandbox', LANG: 'C.UTF-8', ...env },
    platform: platform ?? 'linux',
    home,
    folder: home,
    now,
  };
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
