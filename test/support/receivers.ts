/** Programs in other languages that decrypt notifications: what they need, and how they are run. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Receiver {
  readonly name: string;
  /** Says what is not installed; undefined if the receiver can run. */
  readonly missing: string | undefined;
  /** Decrypts several bodies, and returns one text for each. Throws if the program fails. */
  decrypt(bodies: readonly string[], secret: string): readonly string[];
}

const folder = fileURLToPath(new URL('../features/ins/receivers/', import.meta.url));

type Program = readonly [command: string, ...args: string[]];

/** `check` succeeds if everything that the receiver needs is installed. */
function receiver(name: string, needs: string, check: Program, run: Program): Receiver {
  const [command, ...args] = run;
  return {
    name,
    missing: succeeds(check) ? undefined : `${needs} is not installed`,
    decrypt(bodies, secret) {
      const { status, stdout, stderr } = spawnSync(command, args, {
        input: bodies.map((body) => `${body}\n`).join(''),
        env: { PATH: process.env.PATH, CB_INS_SECRET: secret },
        maxBuffer: 2 ** 28,
      });
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
      return new TextDecoder('utf-8', { fatal: true }).decode(stdout).split('\n').slice(0, -1);
    },
  };
}

/** Whether a program is installed. */
export function succeeds([command, ...args]: Program): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Debian's packages belong to its own Python; another one may come first in PATH. */
export const python = succeeds(['/usr/bin/python3', '-c', 'import cryptography'])
  ? '/usr/bin/python3'
  : 'python3';

export const pythonCheck: Program = [python, '-c', 'import cryptography'];
export const phpCheck: Program = ['php', '-r', 'exit(function_exists("openssl_decrypt") ? 0 : 1);'];

const rubyCheck: Program = ['ruby', '-e', 'require "openssl"; require "json"'];

export const receivers: readonly Receiver[] = [
  receiver('PHP', 'PHP with openssl', phpCheck, ['php', `${folder}decrypt.php`]),
  receiver('Python', 'python3-cryptography', pythonCheck, [python, `${folder}decrypt.py`]),
  receiver('Ruby', 'Ruby', rubyCheck, ['ruby', `${folder}decrypt.rb`]),
  receiver('Java', 'A JDK', ['javac', '-version'], ['java', `${folder}Decrypt.java`]),
];
