/** `cb help --all`: lists every command on a line of its own. */
import type { Command } from 'commander';
import { isOnlyGroup } from '../grammar/say.ts';
import type { Block } from './blocks.ts';
import { leavesOf } from './description.ts';
import { pathOf } from './option-list.ts';

/** `program` has every command. */
export function commandList(program: Command): Block[] {
  const sections = program.createHelp().visibleCommands(program).flatMap(groupsIn);
  return [
    'Every command of cb. For its options and examples, add --help.',
    ...sections,
    'For programs: cb help --all -o json.',
  ];
}

/** Lists the commands of a group. Nested groups are separate lists, so that long names do not widen the column. */
function groupsIn(group: Command): Block[] {
  const below = group.createHelp().visibleCommands(group);
  const own = below.filter((one) => one.commands.length === 0);
  const lines = isOnlyGroup(group) ? own : leavesOf(group);
  const inner = below.filter((one) => one.commands.length > 0).flatMap(groupsIn);
  const terms = lines.map((one) => [`cb ${pathOf(one)}`, one.description()] as const);
  return terms.length > 0 ? [Object.fromEntries(terms), ...inner] : inner;
}
