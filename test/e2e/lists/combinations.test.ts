/**
 * Every output option with every format and every destination: it works, so that the output differs from that without
 * it, or it is refused with a sentence before anything is sent. `test/golden/options.txt` says which.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { type OptionName, optionFlags, optionNames } from '../../../src/output/options.ts';
import { formatNames } from '../../../src/output/registry.ts';
import { run } from '../../../src/run.ts';
import { home, now, world } from '../../support/cb.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { allCommands } from '../../support/tree.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

/** A value of each option that must change the output, whatever the format is. */
const typed: { readonly [N in OptionName | 'chart']: string } = {
  limit: '--limit 1',
  fields: '--fields receipt,email',
  sort: '--sort receipt',
  out: '--out rows',
  totals: '--totals',
  query: '--query [].receipt',
  resume: '--resume --out rows',
  sinceLast: '--since-last nightly',
  append: '--since-last nightly --append rows',
  layout: '--layout accounting',
  expand: '--expand lineItemData',
  spread: '--spread lineItemData:2',
  dates: '--dates both',
  textIds: '--text-ids',
  header: '--no-header',
  delimiter: '--delimiter ;',
  bom: '--bom',
  crlf: '--crlf',
  raw: '--raw',
  page: '--page 2',
  concurrency: '--concurrency 1',
  maxPages: '--max-pages 5',
  columns: '--columns receipt,email',
  chart: '--chart',
};

const destinations = {
  terminal: '',
  pipe: '',
  file: typed.out,
  device: '--out /dev/null',
  since: typed.sinceLast,
  append: typed.append,
  resume: typed.resume,
};

/** As they are typed. `raw` and `chart` stand in place of a format. */
const formats: { readonly [name: string]: string } = {
  ...Object.fromEntries(formatNames().map((name) => [name, `-o ${name}`])),
  raw: typed.raw,
  chart: typed.chart,
};

/** What can't be seen in the output: how pages are requested, and sums that are there anyway. */
const unseen = ['concurrency', 'maxPages', 'totals table'];

interface Shown {
  readonly code: number;
  readonly err: string;
  /** What was written, wherever it went. */
  readonly text: string;
  readonly requests: number;
}

/** A service that answers as the sandbox did the first time, and counts the requests of each key. */
async function recordedService() {
  const { sandbox, key } = await serveSandbox({ orders: 60 });
  const answers = new Map<string, Promise<readonly [Response, string]>>();
  const requests = new Map<string, number>();
  const answer = async (path: string, accept: string, page: string) => {
    const sent = { authorization: key, accept, ...(page && { page }) };
    const response = await fetch(sandbox.url + path, { headers: sent });
    return [response, await response.text()] as const;
  };
  const { url } = await serve(
    async (reply, _, { url: path, headers }) => {
      const { authorization: by = '', accept = '', page = '' } = headers;
      requests.set(by, (requests.get(by) ?? 0) + 1);
      const id = [path, accept, page].join(' ');
      if (!answers.has(id)) answers.set(id, answer(path, accept, String(page)));
      const [{ status, headers: sent }, body] = (await answers.get(id)) ?? [new Response(), ''];
      reply.writeHead(status, { 'content-type': sent.get('content-type') ?? '' }).end(body);
    },
    { time: () => now },
  );
  return { url, requestsOf: (by: string) => requests.get(by) ?? 0 };
}

/** Runs lines in an empty home each, with a key of their own. */
async function runner() {
  const { url, requestsOf } = await recordedService();
  const { folder: base } = home();
  return async (line: string, isTerminal: boolean): Promise<Shown> => {
    const folder = mkdtempSync(join(base, 'run-'));
    const env = { CB_BASE_URL: url, CB_API_KEY: `API-${basename(folder)}` };
    const options = { env, clock: virtualClock(), ...(isTerminal && { columns: 200 }) };
    const { context, stdout, stderr } = world(folder, options);
    const code = await run(line.split(/ +/), context);
    const files = readdirSync(folder).filter((name) => name === 'rows');
    const written = files.map((name) => readFileSync(join(folder, name), 'latin1'));
    rmSync(folder, { recursive: true });
    const requests = requestsOf(env.CB_API_KEY);
    return { code, err: stderr.text, text: stdout.text + written, requests };
  };
}

/** What a refusal says: its sentence and its hint. */
function sentenceIn(err: string): string {
  if (err.startsWith('{')) {
    const { message, hint } = JSON.parse(err);
    return [message, hint].filter(Boolean).join(' ');
  }
  return err
    .split('\n')
    .map((line) => line.replace(/^.*?cb:\S* /, '').trim())
    .join(' ')
    .trim();
}

/** `+` works, `-` is refused with a sentence before anything is sent; anything else is a defect. */
function verdictOn(shown: Shown, without: Shown | undefined, mayBeUnseen: boolean): string {
  const { code, err, text, requests } = shown;
  if (code === 0) return mayBeUnseen || text !== without?.text ? '+' : 'IGNORED';
  const isSentence = /^['A-Z-].*\.$/.test(sentenceIn(err));
  return code === 2 && requests === 0 && text === '' && isSentence ? '-' : `${code} ${err}`;
}

/** One line for the sentences that differ only in this part. */
function grouped(sentences: readonly string[], part: RegExp): string[] {
  const groups = new Map<string, string[]>();
  for (const one of sentences) {
    const [found = ''] = part.exec(one) ?? [];
    const general = one.replace(part, '*');
    groups.set(general, [...(groups.get(general) ?? []), found]);
  }
  return [...groups].map(([general, found]) => general.replace('*', found.join(' | ')));
}

// The number of combinations is in the first line of the golden file.
test('lets each option work with each format and destination, or refuses it', async () => {
  const shownBy = await runner();
  const runs: readonly string[] = ['out', 'append', 'sinceLast', 'resume', 'raw'];
  const names = optionNames.filter((name) => !runs.includes(name));
  const verdicts = new Map<string, string>();
  const sentences = new Set<string>();
  for (const [format, written] of Object.entries(formats)) {
    for (const [destination, where] of Object.entries(destinations)) {
      const shownWith = (name?: OptionName) => {
        const hasSums = name === 'totals' || format === 'chart';
        const list = hasSums ? 'quickstats list --period last-7-days' : 'orders list --since -14d';
        const line = [list, written, name && typed[name], where].filter(Boolean).join(' ');
        return shownBy(line, destination === 'terminal');
      };
      const without = await shownWith();
      verdicts.set(`any ${format} ${destination}`, verdictOn(without, undefined, false));
      const each = await Promise.all(
        names.map(async (name) => [name, await shownWith(name)] as const),
      );
      for (const [name, shown] of each) {
        const isUnseen = unseen.includes(name) || unseen.includes(`${name} ${format}`);
        const verdict = verdictOn(shown, without, isUnseen || destination === 'device');
        const says = sentenceIn(shown.err);
        // Some options are not of `quickstats list`.
        if (verdict === '-' && !says.includes("' has no ")) sentences.add(says);
        verdicts.set(`${name} ${format} ${destination}`, verdict);
      }
    }
  }
  const all = [...verdicts];
  expect(all.filter(([, verdict]) => !['+', '-'].includes(verdict))).toEqual([]);
  const works = all.filter(([, verdict]) => verdict === '+').length;
  const cells = (name: string) =>
    Object.keys(formats).map((format) =>
      Object.keys(destinations)
        .map((destination) => verdicts.get(`${name} ${format} ${destination}`))
        .join(''),
    );
  const lines = [
    `${all.length} combinations: ${works} work, ${all.length - works} are refused.`,
    `Destinations: ${Object.keys(destinations).join(', ')}.`,
    '',
    [...Object.keys(formats).map((format) => format.padEnd(7)), 'option'].join(' '),
    ...['any' as const, ...names].map((name) =>
      [...cells(name), name === 'any' ? '' : optionFlags[name]].join(' ').trimEnd(),
    ),
    '',
    ...grouped(grouped([...sentences].sort(), /(?<=, not with )\w+/), /^--[\w-]+/),
  ];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../golden/options.txt');
});

test('knows every output option of every list in its table', () => {
  // `--full` is of `cb orders get`, which is no list of a period.
  const known: readonly string[] = [...Object.values(optionFlags), '--chart', '--full'];
  const lists = allCommands.filter(({ flags }) =>
    flags.some(({ names }) => names.includes('--fields')),
  );
  expect(lists.length).toBeGreaterThan(10);
  for (const { flags } of lists) {
    const output = flags.filter(({ group }) => group === 'Output:');
    expect(output.flatMap(({ names }) => names).filter((name) => !known.includes(name))).toEqual(
      [],
    );
  }
});
