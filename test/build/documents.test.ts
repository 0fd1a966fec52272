/** The pages of the documentation: links, and the commands and options that they name. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { expect, test } from 'vitest';
import { formatNames } from '../../src/output/registry.ts';
import { acceptedOptions } from '../../src/shell/grammar/words.ts';
import { type Document, documents, examplesOf } from '../support/documents.ts';
import { allCommands, root } from '../support/tree.ts';

const others = [
  ...['.github/CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'src/README.md'],
  'docs/reference.md',
].map((path) => ({ path, text: readFileSync(path, 'utf8') }));

function linksOf({ path, text }: Document) {
  return [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(
    ([, file = '', anchor = '']) => {
      const target = file === '' ? path : posix.join(dirname(path), file);
      return { from: path, target, anchor };
    },
  );
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(text: string): string[] {
  const headings = [...text.toLowerCase().matchAll(/^#+ (.+)$/gm)].map(
    ([, heading = '']) => heading,
  );
  return headings.map((one) => one.replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-'));
}

test('links only to files and headings that exist', () => {
  const links = [...documents, ...others].flatMap(linksOf);
  expect(links.length).toBeGreaterThan(60);
  for (const { from, target, anchor } of links) {
    expect(existsSync(target), `${from} links to ${target}`).toBe(true);
    if (anchor === '') continue;
    expect(anchorsOf(readFileSync(target, 'utf8')), `${from} links to ${target}`).toContain(anchor);
  }
});

test('links every page in docs/README.md, and the index in README.md', () => {
  const linked = (path: string) => {
    const links = documents.filter((page) => page.path === path).flatMap(linksOf);
    return links.map(({ target }) => target);
  };
  const pages = documents.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
  const missing = [...pages, 'docs/reference.md'].filter((path) => path !== 'docs/README.md');
  expect(missing.filter((path) => !linked('docs/README.md').includes(path))).toEqual([]);
  expect(linked('README.md')).toContain('docs/README.md');
});

test('shows one picture, two first commands and nine recipes in README.md', () => {
  const [readme] = documents.filter(({ path }) => path === 'README.md');
  if (!readme) throw new Error('there is no README.md');
  expect(readme.text.match(/!\[/g)).toHaveLength(1);
  const examples = examplesOf(readme);
  const first = examples.filter(({ title }) => title === 'First commands');
  expect(first.map(({ script }) => script.trim().split('\n').length)).toEqual([1, 1]);
  expect(examples.length - first.length).toBe(9);
});

test('lists the terms of the glossary in alphabetical order, each once', () => {
  const [page] = documents.filter(({ path }) => path === 'docs/glossary.md');
  const sections = (page?.text ?? '').split(/^## /m).slice(1);
  expect(sections).toHaveLength(2);
  const terms = sections.map((section) =>
    [...section.matchAll(/^\*\*(.+?)\.\*\* [A-Z0]/gm)].map(([, term = '']) => term.toLowerCase()),
  );
  for (const section of terms) expect(section).toEqual([...section].sort());
  expect(new Set(terms.flat()).size).toBe(terms.flat().length);
  expect(terms.flat().length).toBeGreaterThan(50);
});

/** Those of the help, and the short forms that the help leaves out. */
const options = new Set([
  ...allCommands.flatMap(({ flags }) => flags.flatMap(({ names }) => names)),
  ...acceptedOptions.keys(),
  ...formatNames().map((format) => `--${format}`),
  '--columns',
]);

/** The parts of the prose that are code, such as `cb orders list --limit 5`. */
function codeIn({ text }: Document): string[] {
  const prose = text.replaceAll(/^```.*$[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

test.each(documents)('names only options and commands that exist in $path', (page) => {
  const codes = codeIn(page);
  const named = codes
    .filter((code) => !/^(npm|npx|docker|node|kill|curl|sh|brew)\b|^… |install\.ps1/.test(code))
    .flatMap((code) => [...code.matchAll(/(?<![\w-])--?[a-z][\w-]*/g)].map(([name]) => name));
  expect(named.filter((name) => !options.has(name))).toEqual([]);
  const commands = codes.flatMap((code) => /^cb(?: [a-z-]+)+/.exec(code)?.[0] ?? []);
  expect(commands.filter((line) => !isCommand(line.split(' ').slice(1)))).toEqual([]);
});

/** Whether the words lead to a command; what follows a command without subcommands is its arguments. */
function isCommand(words: readonly string[]): boolean {
  let node = root;
  for (const word of words) {
    if (word.startsWith('-')) return true;
    if (node.commands.length === 0) return true;
    const next = node.commands.find(({ name }) => name === word);
    if (!next) return false;
    node = next;
  }
  return true;
}
