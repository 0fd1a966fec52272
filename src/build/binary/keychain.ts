/** In the executable, takes the place of @napi-rs/keyring: asks the keychain with the tools of the system. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** One call of a tool. Keys go over its standard input, because other users see the arguments of processes. */
interface Call {
  readonly file: string;
  readonly args: readonly string[];
  readonly input?: string;
  /** The exit code for a missing entry. */
  readonly missing?: number;
}

interface Tool {
  get(service: string, name: string): Call;
  set(service: string, name: string, key: string): Call;
  delete(service: string, name: string): Call;
  /** Returns the key in the output of `get`; default: all of it. */
  readonly keyIn?: (output: string) => string;
}

/** Entries have the attributes that @napi-rs/keyring gives them, so that either form of cb finds those of the other. */
const secretTool: Tool = {
  get: (service, name) => ({
    ...{ file: 'secret-tool', args: ['lookup', ...attributes(service, name)], missing: 1 },
  }),
  set: (service, name, key) => {
    const label = `--label=keyring:${name}@${service}`;
    return {
      file: 'secret-tool',
      args: ['store', label, ...attributes(service, name)],
      input: key,
    };
  },
  delete: (service, name) => ({
    ...{ file: 'secret-tool', args: ['clear', ...attributes(service, name)], missing: 1 },
  }),
};

function attributes(service: string, username: string): string[] {
  return ['service', service, 'username', username];
}

/** Names contain letters, digits, spaces and dashes only; the key is written in hexadecimal, which needs no quotes. */
const security: Tool = {
  get: (service, name) => ({
    ...{ file: 'security', missing: 44 },
    args: ['find-generic-password', '-s', service, '-a', name, '-w'],
  }),
  set: (service, name, key) => {
    const hex = Buffer.from(key).toString('hex');
    const input = `add-generic-password -U -s ${service} -a "${name}" -X ${hex}\n`;
    return { file: 'security', args: ['-i'], input };
  },
  delete: (service, name) => ({
    ...{ file: 'security', missing: 44 },
    args: ['delete-generic-password', '-s', service, '-a', name],
  }),
};

const tools: Readonly<Record<string, Tool>> = { linux: secretTool, darwin: security };

export class AsyncEntry {
  private readonly service: string;
  private readonly name: string;

  constructor(service: string, name: string) {
    this.service = service;
    this.name = name;
  }

  async getPassword(): Promise<string | undefined> {
    const output = await run(toolHere().get(this.service, this.name));
    return output?.replace(/\n$/, '') || undefined;
  }

  async setPassword(key: string): Promise<void> {
    await run(toolHere().set(this.service, this.name, key));
    // `security -i` ends with 0 whatever its commands did.
    if ((await this.getPassword()) !== key) throw new Error('it did not store the key');
  }

  async deleteCredential(): Promise<void> {
    await run(toolHere().delete(this.service, this.name));
  }
}

function toolHere(): Tool {
  const tool = tools[process.platform];
  if (!tool) throw new Error('this form of cb has no access to it on this system');
  return tool;
}

/** Returns what the tool printed; undefined for a missing entry. Throws what the tool reported. */
async function run({ file, args, input = '', missing }: Call): Promise<string | undefined> {
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
  if (code === missing && report.trim() === '') return undefined;
  if (code === missing && file === 'security') return undefined;
  throw new Error(report.trim() || `${file} ended with exit code ${code}`);
}
