/** Refuses a flag that is given twice, since cb can't know which value is meant. */
import type { Command, Option } from 'commander';
import { usage } from '../runtime/failure.ts';

interface Given {
  readonly option: Option;
  readonly value: string | null | undefined;
}

/** For options added from now on. Options that collect values, and the same switch twice, are allowed. */
export function refuseRepeatedFlags(command: Command): void {
  const add = command.addOption.bind(command);
  const given = new Map<string, Given>();
  command.addOption = (option) => {
    add(option);
    if (!option.parseArg && !option.variadic) {
      // Defaults, and values from elsewhere than the command line, do not raise this event.
      command.on(`option:${option.name()}`, (value: Given['value']) => {
        refuseSecond(given.get(option.attributeName()), { option, value });
        given.set(option.attributeName(), { option, value });
      });
    }
    return command;
  };
}

function refuseSecond(first: Given | undefined, second: Given): void {
  if (!first) return;
  const [one, two] = [nameOf(first.option), nameOf(second.option)];
  if (one !== two) throw usage(`${one} and ${two} were both given. Give one of them.`);
  if (!second.option.required && !second.option.optional) return;
  const [before, now] = [first.value ?? 'no value', second.value ?? 'no value'];
  throw usage(`${one} was given twice: ${before} and ${now}. Give it once.`);
}

function nameOf({ long, short }: Option): string {
  return long ?? short ?? '';
}
