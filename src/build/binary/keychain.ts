/** In the executable, takes the place of @napi-rs/keyring: asks the keychain with the tools of the system. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** An entry; it has the attributes that @napi-rs/keyring gives it, so that either form of cb finds those of the other. */
interface Entry {
  readonly service: string;
  /** Letters, digits, spaces and dashes only. */
  readonly username: string;
}

interface Tool {
  readonly file: string;
  /** The exit code for a missing entry. */
  readonly missing: number;
  get(entry: Entry): string[];
  delete(entry: Entry): string[];
  /** The key goes over standard input, because other users see the arguments of processes. */
  set(entry: Entry, key: string): { readonly args: string[]; readonly input: string };
}

const attributes = (entry: Entry) => Object.entries(entry).flat();

const tools: Readonly<Record<string, Tool>> = {
  linux: {
    ...{ file: 'secret-tool', missing: 1 },
    get: (entry) => ['lookup', ...attributes(entry)],
    delete: (entry) => ['clear', ...attributes(entry)],
    set: (entry, key) => {
      const label = `--label=keyring:${entry.username}@${entry.service}`;
      return { args: ['store', label, ...attributes(entry)], input: key };
    },
  },
  darwin: {
    ...{ file: 'security', missing: 44 },
    get: (entry) => ['find-generic-password', ...named(entry), '-w'],
    delete: (entry) => ['delete-generic-password', ...named(entry)],
    set: ({ service, username }, key) => {
      // In hexadecimal, which needs no quotes.
      const hex = Buffer.from(key).toString('hex');
      const input = `add-generic-password -U -s ${service} -a "${username}" -X ${hex}\n`;
      return { args: ['-i'], input };
    },
  },
};

function named({ service, username }: Entry): string[] {
  return ['-s', service, '-a', username];
}

export class AsyncEntry {
  private readonly entry: Entry;
  private readonly tool: Tool;

  constructor(service: string, username: string) {
    const tool = tools[process.platform];
    if (!tool) throw new Error('this form of cb has no access to it on this system');
    this.entry = { service, username };
    this.tool = tool;
  }

  async getPassword(): Promise<string | undefined> {
    const output = await run(this.tool, this.tool.get(this.entry));
    return output?.replace(/\n$/, '') || undefined;
  }

  async setPassword(key: string): Promise<void> {
    const { args, input } = this.tool.set(this.entry, key);
    await run(this.tool, args, input);
    // `security -i` ends with 0 whatever its commands did.
    if ((await this.getPassword()) !== key) throw new Error('it did not store the key');
  }

  async deleteCredential(): Promise<void> {
    await run(this.tool, this.tool.delete(this.entry));
  }
}

/** Returns what the tool printed; undefined for a missing entry. Throws what the tool reported. */
async function run({ file, missing }: Tool, args: readonly string[], input = '') {
  const { CB_API_KEY: _, CB_INS_SECRET: _secret, ...env } = process.env;
  const child = spawn(file, args, { env, stdio: 'pipe' });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [output, report, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close').catch(({ code: why }: NodeJS.ErrnoException) => {
      throw new Error(
        why === 'ENOENT' ? `the program ${file} is not installed` : `${file}: ${why}`,
      );
    }),
  ]);
  if (code === 0) return output;
  if (code === missing && (report.trim() === '' || file === 'security')) return undefined;
  throw new Error(report.trim() || `${file} ended with exit code ${code}`);
}
