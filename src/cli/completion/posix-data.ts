/** The tables as functions of bash and zsh, which write cases and texts alike. */
import type { Candidate } from './candidates.ts';
import type { FlagLine, Table } from './table.ts';

/** Each function sets variables of its caller: `below`, `sets`, `places`, `goes_on`; or `lines`. */
export function posixData({ commands, sets, values }: Table): string {
  return [
    oneOf(
      '_cb_command',
      commands.map(({ path, words, sets, places, goesOn }) => [
        path,
        `below=${lines(words)} sets=${quote(sets.join(' '))} places=${quote(places.join(' '))} goes_on=${goesOn ? 1 : quote('')}`,
      ]),
    ),
    oneOf(
      '_cb_set',
      sets.map((set, number) => [`${number}`, `lines=${lines(set)}`]),
    ),
    oneOf(
      '_cb_values',
      values.map((list, number) => [`${number}`, `lines=${lines(list)}`]),
    ),
  ].join('\n');
}

function oneOf(name: string, cases: readonly (readonly [key: string, then: string])[]): string {
  const known = cases.map(([key, then]) => `  ${quote(key)}) ${then} ;;`);
  return [`${name}() {`, '  case $1 in', ...known, '  *) return 1 ;;', '  esac', '}', ''].join(
    '\n',
  );
}

/** A line each, its parts between tabs. */
function lines(list: readonly (Candidate | FlagLine)[]): string {
  const text = list.map((parts) => parts.map(escaped).join('\\t')).join('\\n');
  return text === '' ? quote('') : `$'${text}'`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\']/g, '\\$&');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
