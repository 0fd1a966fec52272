/** Runs the pager of the user as a separate process on the same terminal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Context, Pager } from '../context.ts';

interface Options extends Pick<Context, 'env' | 'platform' | 'signal'> {
  /** Called when the pager has ended, for any reason. */
  onEnd(): void;
}

/** A program and its arguments that need no shell to interpret them. */
const plainWords = /^[\w./:-]+(?: +[\w./+:=,@-]+)*$/;

/** For people who have never seen less. A dollar sign ends it, and colons would have a meaning of their own. */
const prompt = '-Psq\\: quit  space\\: more  /\\: search$';

/**
 * Resolves to undefined if there is no such program. Like git, sets LESS to FRX (quit if one screen is enough, keep
 * colors, leave the text on the screen) unless the user has set it, with a prompt that says what to press. less runs in its
 * secure mode: a command that someone types into it by mistake must not write a file.
 */
export async function startPager(command: string, options: Options): Promise<Pager | undefined> {
  const env = { LESS: `-FRX ${prompt}`, LESSSECURE: '1', LV: '-c', ...options.env };
  const typed = command.trim();
  const [program = '', ...args] = typed.split(/ +/);
  // 127 is the shell's exit code for an unknown program.
  const line = options.platform === 'win32' ? typed : `{ ${typed}\n} || [ $? != 127 ] || cat`;
  const child: ChildProcess = plainWords.test(typed)
    ? spawn(program, args, { env, stdio: ['pipe', 'inherit', 'inherit'] })
    : spawn(line, { env, stdio: ['pipe', 'inherit', 'ignore'], shell: true });
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  const isRunning = await once(child, 'spawn').then(
    () => true,
    () => false,
  );
  if (!isRunning) return undefined;
  void ended.then(options.onEnd);
  const { stdin } = child;
  if (!stdin) return undefined;
  // The writer gets the error; without a listener, Node would end the process.
  stdin.on('error', () => undefined);
  const stop = () => child.kill();
  options.signal.addEventListener('abort', stop);
  return {
    write: (text) =>
      new Promise((done, fail) => {
        stdin.write(text, (error) => (error ? fail(error) : done()));
      }),
    async end() {
      stdin.end();
      await ended;
      options.signal.removeEventListener('abort', stop);
    },
  };
}
