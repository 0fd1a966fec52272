/** What a program may read of its machine if it asks for stored keys. */
import { homedir } from 'node:os';

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: string;
  /** The user ID; undefined where files have no owners. */
  readonly user: number | undefined;
  warn(text: string): void;
}

export function machine(): Machine {
  return {
    env: process.env,
    platform: process.platform,
    home: homeFolder(),
    user: process.getuid?.(),
    warn: (text) => process.emitWarning(text),
  };
}

/** Empty if there is none, as for a user without an account. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}
