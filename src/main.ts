/** The only file that touches the process: streams, environment, signals, exit code. */
import { fstatSync, mkdirSync, readlinkSync, statSync, writeFileSync, writeSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { isSea } from 'node:sea';
import { type Context, faultText, processesFrom, type Screen } from './shell/context.ts';
import { exitCodes, Failure } from './shell/failure.ts';
import { homeFolder, stateFolder } from './shell/folders.ts';
import { type Block, textOf } from './shell/help/blocks.ts';
import { aliasBlocks, storedHelp } from './shell/help/store.ts';
import { version } from './shell/version.ts';

/** While a pager uses the terminal, Ctrl-C goes to it, and messages wait. */
const paging: { isActive: boolean; held: (() => void)[] } = { isActive: false, held: [] };

function endPaging(): void {
  paging.isActive = false;
  for (const write of paging.held.splice(0)) write();
}

/** Wraps stdout or stderr. `onLost` is called for text that can't be written if the caller does not wait for it. */
function screenOn(
  fd: 1 | 2,
  onLost: (error: NodeJS.ErrnoException) => void = () => undefined,
): Screen {
  const report = (error?: NodeJS.ErrnoException | null) => error && onLost(error);
  if (fstatSync(fd).isFile()) {
    // Node's own stream to a file ignores partial writes to a full disk.
    const write: Screen['write'] = (text, done = report) => {
      let failure: Error | undefined;
      try {
        writeFileSync(fd, text);
      } catch (error) {
        failure = error as Error;
      }
      done(failure);
    };
    return { write };
  }
  const stream = fd === 1 ? process.stdout : process.stderr;
  // Without a listener, Node would end the process.
  stream.on('error', () => undefined);
  return {
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    get isDiscarded() {
      return isNullDevice(fd);
    },
    write: (text, done = report) => {
      const write = () => stream.write(text, done);
      if (fd === 2 && paging.isActive) paging.held.push(write);
      else write();
    },
  };
}

/** Node replaces a closed stdout with the null device. */
function isNullDevice(fd: number): boolean {
  try {
    const device = fstatSync(fd);
    return device.isCharacterDevice() && device.rdev === statSync('/dev/null').rdev;
  } catch {
    return false;
  }
}

/** Reports lost output of help and versions, unless the reader has closed the pipe. */
function reportLost({ code }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE' || process.exitCode === exitCodes.incomplete) return;
  process.stderr.write(`cb: The output can't be written (${code}).\n`);
  process.exitCode = exitCodes.incomplete;
}

function openContext(stdout: Screen, stderr: Screen, { signal }: AbortController): Context {
  return {
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env: process.env,
    platform: process.platform,
    get runtime() {
      return {
        node: process.versions.node,
        executable: isSea() ? process.execPath : undefined,
        own: ownWords(),
      };
    },
    // The shell, which starts one command after the other.
    session: String(process.ppid),
    user: process.getuid?.(),
    processes: processesFrom(process),
    home: homeFolder(),
    get zone() {
      return localZone();
    },
    get folder() {
      return currentFolder();
    },
    now: () => new Date(),
    signal,
    startQueries: async () => {
      const { startQueries } = await import('./features/sync/query/start-queries.ts');
      return startQueries(process);
    },
    startPager: async (command) => {
      const { startPager } = await import('./shell/terminal/pager-process.ts');
      const { env, platform } = process;
      paging.isActive = true;
      const pager = await startPager(command, { env, platform, signal, onEnd: endPaging });
      if (!pager) endPaging();
      return pager;
    },
    startShell: async (line, input) => {
      const { startShell } = await import('./features/lists/shell-command.ts');
      return startShell(line, input, process, ownWords().at(-1));
    },
    prompts: async (isPlain) => {
      if (isPlain) {
        const { plainPromptsOn } = await import('./shell/terminal/plain-prompts.ts');
        return plainPromptsOn({ stdin: process.stdin, stderr: process.stderr, signal });
      }
      const { promptsOn } = await import('./shell/terminal/prompts.ts');
      const color = !process.env.NO_COLOR && process.env.TERM !== 'dumb';
      return promptsOn({ stdin: process.stdin, stderr: process.stderr, signal, color });
    },
  };
}

function ownWords(): string[] {
  const { argv, execPath } = process;
  return isSea() ? [execPath] : [execPath, argv[1] ?? ''];
}

/** As in Europe/Berlin. Reads the link of the system, because Intl is slow to load. */
function localZone(): string {
  if (process.env.TZ === undefined && process.platform !== 'win32') {
    try {
      const [, name] = readlinkSync('/etc/localtime').split('zoneinfo/');
      if (name) return name;
    } catch {
      // Not a link, as in some containers.
    }
  }
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Failure(exitCodes.usage, 'The current folder no longer exists.', {
      hint: 'Nothing was sent. Change to another folder and run the command again.',
      cause,
    });
  }
}

/** Node 22 and later keep compiled code between calls, in a private folder, since others could change what runs. */
function keepCompiledCode(context: Context): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  if (!enableCompileCache) return;
  try {
    const compiled = join(stateFolder(context), 'compiled');
    mkdirSync(compiled, { recursive: true, mode: 0o700 });
    enableCompileCache(compiled);
  } catch {
    // Without a home folder that can be written, the code is compiled each time.
  }
}

async function start(argv: readonly string[], stdout: Screen): Promise<void> {
  const stop = new AbortController();
  // Node would print the whole error that nothing caught, including the failed request and its key.
  process.on('uncaughtException', (error) => {
    try {
      writeSync(2, `${faultText(error, argv)}\n`);
    } finally {
      process.exit(exitCodes.internal);
    }
  });
  const { hungUp, interrupted, terminated } = exitCodes;
  const codes = { SIGHUP: hungUp, SIGINT: interrupted, SIGTERM: terminated };
  for (const [signal, code] of Object.entries(codes)) {
    // The first signal stops gracefully; a second one exits at once.
    process.on(signal, () => {
      if (code === interrupted && paging.isActive) return;
      if (stop.signal.aborted) process.exit(code);
      stop.abort(code);
    });
  }
  const context = openContext(stdout, screenOn(2), stop);
  keepCompiledCode(context);
  const { run } = await import('./run.ts');
  process.exitCode = (await run(argv, context)) || process.exitCode;
}

/** For calls that write once, or not at all. */
function lightContext(): Context {
  const atOnce = { write: printAtOnce };
  return openContext(atOnce, atOnce, new AbortController());
}

/** Writes directly, since Node's streams load slowly; a stream writes the rest if a pipe is full. */
function printAtOnce(text: string | Uint8Array): void {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    written = writeSync(1, bytes);
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (failure.code !== 'EAGAIN') {
      reportLost(failure);
      return;
    }
  }
  if (written < bytes.length) screenOn(1, reportLost).write(bytes.subarray(written));
}

/** Undefined if the page is longer than the screen: it is for the pager, which needs the options of the command. */
async function pageText(page: readonly Block[], isProgram: boolean): Promise<string | undefined> {
  const aliases = isProgram ? await aliasBlocks(lightContext()) : [];
  const isTerminal = fstatSync(1).isCharacterDevice();
  const { columns, rows = Number.POSITIVE_INFINITY } = isTerminal ? process.stdout : {};
  const text = `${textOf([...page, ...aliases], columns)}\n`;
  return text.split('\n').length > rows ? undefined : text;
}

/** Prints the version and short help without loading the commands, which take longer to load than Node. */
async function main(argv: readonly string[]): Promise<void> {
  const [word = '', ...others] = argv;
  const isAlone = others.length === 0;
  const isVersion = isAlone && ['-V', '-v', '--version', 'version'].includes(word);
  const page = isVersion ? [version] : await storedHelp(argv);
  const text = page && (await pageText(page, isAlone && ['help', '-h', '--help'].includes(word)));
  if (text !== undefined) printAtOnce(text);
  else if (word === '__complete') {
    // Does not load the commands: the build has stored what completion needs.
    const { complete } = await import('./shell/completion/complete.ts');
    await complete(others, lightContext(), async () =>
      (await import('./program.ts')).commandTree(),
    );
  } else if (word === '__query') await answerQueries(others[0]);
  else await start(argv, screenOn(1, reportLost));
}

/** This process runs the queries of the one that started it, and ends with it, also while a query blocks it. */
async function answerQueries(parent: string | undefined): Promise<void> {
  const { serveQueries } = await import('./features/sync/query/start-queries.ts');
  serveQueries(
    process,
    `setInterval(() => {
      try {
        process.kill(${Number(parent)}, 0);
        if (process.ppid === ${Number(parent)}) return;
      } catch {}
      process.kill(process.pid, 'SIGKILL');
    }, 200)`,
  );
}

main(process.argv.slice(2));
