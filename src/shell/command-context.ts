/** What a running command can use: its context, its options, its messages, and its service. */
import type { Service } from '../profiles/find-service.ts';
import { type Context, canAsk } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { hasColor, type Messages, messagesOf } from './messages.ts';

export interface CommonFlags {
  readonly output?: string;
  readonly profile?: string;
  readonly allProfiles?: boolean;
  readonly sandbox?: boolean;
  readonly input?: boolean;
  readonly color?: boolean;
  readonly pager?: boolean;
  readonly debug?: boolean;
  readonly tz?: string;
  readonly timeout?: string;
  readonly maxWait?: string;
  readonly wire?: string;
}

/** One call of cb: its context, and the exit code if nothing fails. */
export interface Call {
  readonly context: Context;
  code: ExitCode;
  /** A command line to run instead of the rest of this one. */
  next?: readonly string[];
}

/** The open service of a command, and the key to use. */
export interface Session extends Service {
  /** No key is used. */
  readonly isPublic?: boolean;
  /** Absent if nothing has to be closed. */
  close?(): Promise<void>;
}

export interface CommandContext {
  readonly context: Context;
  readonly flags: CommonFlags;
  readonly messages: Messages;
  /** The keys that this call uses. Each is also redacted in responses to the others. */
  readonly keysInUse: string[];
  /** Prompts are possible. */
  readonly mayAsk: boolean;
  /** Sets the exit code although nothing failed. */
  endWith(code: ExitCode): void;
  /** Runs another command line when this one has ended. */
  continueWith(line: readonly string[]): void;
}

export function contextFor(call: Call, flags: CommonFlags): CommandContext {
  const { context } = call;
  return {
    context,
    flags,
    messages: messagesOf(context, {
      debug: flags.debug ?? false,
      color: hasColor(context, context.stderr, flags),
    }),
    keysInUse: [],
    mayAsk: canAsk(context, flags),
    endWith: (code) => {
      call.code = code;
    },
    continueWith: (line) => {
      call.next = line;
    },
  };
}
