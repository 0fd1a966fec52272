/** Messages, hints and notes are sentences: checked in the source, because no run prints all of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withoutComments } from '../../support/structure.ts';

/** Files whose messages are still to be rewritten. This list only gets shorter. */
const unfinished = new Set([
  'src/cli/commands/help.ts',
  'src/cli/commands/quickstats/report.ts',
  'src/cli/commands/tickets/import.ts',
  'src/cli/display/chart.ts',
  'src/cli/display/show.ts',
  'src/cli/display/showable.ts',
  'src/cli/display/shown-pages.ts',
  'src/cli/display/sink.ts',
  'src/cli/endpoint/endpoint-command.ts',
  'src/cli/endpoint/endpoint-read.ts',
  'src/cli/endpoint/endpoint-write.ts',
  'src/cli/endpoint/product-file.ts',
  'src/cli/flags/flags.ts',
  'src/cli/flags/show-flags.ts',
  'src/cli/help/page.ts',
  'src/cli/import/import-input.ts',
  'src/cli/import/import-report.ts',
  'src/cli/import/import.ts',
  'src/cli/lists/accounts.ts',
  'src/cli/lists/incremental-export.ts',
  'src/cli/lists/list-read.ts',
  'src/cli/prompts/ask.ts',
  'src/cli/refund/wizard-context.ts',
  'src/cli/runtime/run.ts',
  'src/client/client.ts',
  'src/client/clock.ts',
  'src/client/http/http-client.ts',
  'src/client/http/http-errors.ts',
  'src/client/http/network-error.ts',
  'src/client/http/origin.ts',
  'src/client/http/proxy.ts',
  'src/client/http/request.ts',
  'src/client/http/sender.ts',
  'src/client/http/undici-connections.ts',
  'src/client/limits/pace.ts',
  'src/client/paging/lists.ts',
  'src/profiles/credentials.ts',
  'src/profiles/find-service.ts',
  'src/profiles/keychain.ts',
  'src/profiles/private-file.ts',
  'src/workflows/bulk-import/table.ts',
  'src/workflows/export/window-days.ts',
  'src/workflows/safe-write/safe-write.ts',
]);

/** Code that precedes a text for users. The first argument of a Failure or error is its code or kind. */
const leads = [
  String.raw`(?:(?<!\.)\busage|\bbadInput|\.(?:say|tell))\(`,
  String.raw`\bnew Failure\([^'"();]+?,`,
  String.raw`\bnew (?:ApiError|WorkflowError)\('[\w-]+',`,
  String.raw`\bhint:(?:[^'",}\n]*(?:\?|&&|\|\|))?`,
  String.raw`(?<=\bhint:[^\n]*['"\x60] )(?::|\|\|)`,
];
const before = new RegExp(`(?:${leads.join('|')})(?=\\s*['"\x60])`, 'g');

/** Text in quotation marks at `at`, with … for each value in it. */
function literalAt(code: string, at: number): string {
  const quote = code[at];
  let text = '';
  for (let i = at + 1; i < code.length && code[i] !== quote; i++) {
    if (code[i] === '\\') text += code[++i] === 'n' ? '\n' : code[i];
    else if (quote === '`' && code.startsWith('${', i)) {
      text += '…';
      i = endOfValue(code, i + 2);
    } else text += code[i];
  }
  return text;
}

function endOfValue(code: string, start: number): number {
  let depth = 1;
  let i = start;
  for (; depth > 0; i++) depth += code[i] === '{' ? 1 : code[i] === '}' ? -1 : 0;
  return i - 1;
}

/** A capital, an option, an argument, a quoted name, a command or a value, after a label. */
const start = /^(?:(?:cb|warning|note|sandbox): )?(?:[A-Z…'`<"]|--?\w|cb )/;
/** A command or lines to copy may follow a colon. A text that ends in a value ends as the value does. */
const end = /[.?…]$|: (?:cb |source )[^.]*$|^[^.?]*:$/;

function textsIn(code: string): string[] {
  return [...code.matchAll(before)].map((match) => {
    const blank = /^\s*/.exec(code.slice(match.index + match[0].length))?.[0] ?? '';
    return literalAt(code, match.index + match[0].length + blank.length);
  });
}

function problems(file: string): string[] {
  const texts = textsIn(withoutComments(readFileSync(file, 'utf8')));
  return texts.filter((text) => text !== '' && !(start.test(text) && end.test(text)));
}

const files = ['cli', 'client', 'output', 'profiles', 'workflows'].flatMap((layer) =>
  readdirSync(`src/${layer}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${layer}/${name.replaceAll('\\', '/')}`),
);

const found = files.map((file) => ({ file, texts: problems(file) }));
const wrong = found.filter(({ texts }) => texts.length > 0);

test('has only sentences as messages, hints and notes', () => {
  expect(wrong.filter(({ file }) => !unfinished.has(file))).toEqual([]);
});

test('lists no finished file as unfinished', () => {
  const names = wrong.map(({ file }) => file);
  expect([...unfinished].filter((file) => !names.includes(file))).toEqual([]);
});

test('finds messages in each form of source code', () => {
  const code = `usage('a'); new Failure(exitCodes.key, \`b \${x({})}\`, { hint: near ? 'c' : "it's" })`;
  expect(textsIn(code)).toEqual(['a', 'b …', 'c', "it's"]);
});
