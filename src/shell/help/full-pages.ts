/** The full help pages as the build stored them, in a separate file because few calls need them. */
import type { FullHelpStore } from './pages.ts';

/** The store as JSON; the build defines it. */
declare const CB_FULL_HELP: string | undefined;

/** Undefined when cb runs from source. */
export const builtFullHelp: FullHelpStore | undefined =
  typeof CB_FULL_HELP === 'undefined' ? undefined : JSON.parse(CB_FULL_HELP);
