/** Rejects an option that is given twice, because cb can't know which value is meant. */
import type { Command } from 'commander';
import { usage } from '../runtime/failure.ts';

/** Applies to options that are added later. Options that collect values, and repeated switches, are allowed. */
export function refuseRepeatedFlags(command: Command): void {
  const add = command.addOption.bind(command);
  const given = new Map<string, { readonly name: string; readonly value: string }>();
  command.addOption = (option) => {
    add(option);
    if (option.parseArg || option.variadic) return command;
    const name = option.long ?? option.short ?? '';
    // Defaults, and values from elsewhere than the command line, do not raise this event.
    command.on(`option:${option.name()}`, (typed: string | null | undefined) => {
      const first = given.get(option.attributeName());
      const value = typed ?? 'no value';
      given.set(option.attributeName(), { name, value });
      if (first && first.name !== name) {
        throw usage(`${first.name} and ${name} were both given.`, {
          hint: 'Use one or the other.',
        });
      }
      if (!first || (!option.required && !option.optional)) return;
      throw usage(`${name} was given twice: ${first.value} and ${value}.`, {
        hint: 'Give it once.',
      });
    });
    return command;
  };
}
