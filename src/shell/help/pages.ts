/** The help pages as the build stored them. */

/** Blocks as JSON. */
export interface HelpStore {
  /** The short pages by path, as in `orders list`; '' for the program. */
  readonly commands: Readonly<Record<string, string>>;
  /** The paths of groups that can't be run themselves: without a command, they show their help. */
  readonly groups: readonly string[];
  readonly topics: Readonly<Record<string, string>>;
}

/** The full pages by path, and under '' the list of all commands. */
export type FullHelpStore = Readonly<Record<string, string>>;

/** The store as JSON; the build defines it. */
declare const CB_HELP: string | undefined;

/** Undefined when cb runs from source. */
export const builtHelp: HelpStore | undefined =
  typeof CB_HELP === 'undefined' ? undefined : JSON.parse(CB_HELP);
