/** The pages of the documentation: links, and the commands and options that they name; and the generated files, which match the current commands. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { expect, test } from 'vitest';
import { referenceFiles } from '../../src/build/generated.ts';
import { formatNames } from '../../src/output/registry.ts';
import { shells } from '../../src/shell/completion/shells.ts';
import { acceptedOptions } from '../../src/shell/grammar/words.ts';
import { home } from '../support/cb.ts';
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

const manFolder = 'completions/man';

test('has up-to-date man pages and an up-to-date command reference (npm run reference)', async () => {
  const files = referenceFiles();
  for (const { name, text } of files) {
    expect(text === readFileSync(name, 'utf8'), `${name}: run npm run reference`).toBe(true);
  }
  const pages = files.map(({ name }) => name).filter((name) => name.startsWith(`${manFolder}/`));
  const inFolder = readdirSync(manFolder).map((name) => `${manFolder}/${name}`);
  expect(inFolder.sort()).toEqual([...pages].sort());
});

test.each(Object.entries(shells))('prints the shipped script of %s', async (shell, { file }) => {
  const { code, out, err } = await home().cb(`completion ${shell}`, { columns: 40 });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out === readFileSync(`completions/${file}`, 'utf8')).toBe(true);
});

const hasGroff = spawnSync('groff', ['--version']).status === 0;

test.skipIf(!hasGroff)('formats every man page with groff without warnings', () => {
  const pages = readdirSync(manFolder);
  expect(pages).toContain('cb-orders.1');
  const args = ['-ww', '-man', '-Tutf8', ...pages];
  const options = { cwd: manFolder, encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  const { status, stdout, stderr } = spawnSync('groff', args, options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.match(/User Commands/g)?.length).toBeGreaterThanOrEqual(pages.length);
});
