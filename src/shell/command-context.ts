/** What a running command can use: its context, its options, its messages, and its service. */
import type { Service } from '../profiles/find-service.ts';
import { type Context, canAsk } from './context.ts';
import type { ExitCode } from './failure.ts';
import { hasColor, type Messages, messagesOf } from './messages.ts';

type Texts = 'output' | 'profile' | 'tz' | 'timeout' | 'maxWait' | 'wire';
type Switches = 'allProfiles' | 'sandbox' | 'input' | 'color' | 'plain' | 'pager' | 'debug';

export type CommonFlags = { readonly [name in Texts]?: string | undefined } & {
  readonly [name in Switches]?: boolean;
};

/** One call of cb: its context, and the exit code if nothing fails. */
export interface Call {
  readonly context: Context;
  code: ExitCode;
  /** A command line to run instead of the rest of this one. */
  next?: readonly string[];
}

/** The open service of a command, and the key to use. */
export interface Session extends Service {
  readonly isPublic?: boolean;
  close?(): Promise<void>;
}

export interface CommandContext {
  readonly context: Context;
  readonly flags: CommonFlags;
  readonly messages: Messages;
  /** The keys that this call uses. Each is also redacted in responses to the others. */
  readonly keysInUse: string[];
  readonly mayAsk: boolean;
  /** Sets the exit code although nothing failed. */
  endWith(code: ExitCode): void;
  continueWith(line: readonly string[]): void;
}

function plainContext(context: Context): Context {
  return Object.create(context, {
    isPlain: { value: true },
    prompts: { value: () => context.prompts(true) },
    startPager: { value: undefined },
  });
}

export function contextFor(call: Call, flags: CommonFlags): CommandContext {
  const { ACCESSIBLE: accessible = '' } = call.context.env;
  const isPlain = flags.plain || !['', '0', 'false'].includes(accessible);
  const context = isPlain ? plainContext(call.context) : call.context;
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
