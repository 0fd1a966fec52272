/** Commands as cb makes them: errors are thrown, text goes to the context's streams. */
import { Command } from 'commander';
import type { Context } from './context.ts';

/** commander passes neither setting on to commands that are added, so each gets them here. */
export function newCommand(context: Context, name: string): Command {
  return new Command(name)
    .exitOverride()
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 })
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      // What is wrong is thrown, and told in one place.
      writeErr: () => undefined,
      getOutHelpWidth: () => context.stdout.columns ?? 80,
      getOutHasColors: () => false,
    })
    .helpOption('-h, --help', 'Show this help');
}
