/** Refuses a flag that is given twice, since cb can't know which value is meant. */
import type { Command } from 'commander';
import { usage } from '../runtime/failure.ts';

/** For options added from now on. Options that collect values, and the same switch twice, are allowed. */
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
        throw usage(`${first.name} and ${name} were both given. Give one of them.`);
      }
      if (!first || (!option.required && !option.optional)) return;
      throw usage(`${name} was given twice: ${first.value} and ${value}. Give it once.`);
    });
    return command;
  };
}
