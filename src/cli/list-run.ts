/** The pages of a list on their way from the accounts to where they are shown. */
import type { RowPage } from '../api/client.ts';
import type { Listed } from '../api/lists.ts';
import type { Cut } from '../api/windows.ts';
import type { Arguments, Operation } from '../operations/operation.ts';
import type { Row } from '../output/rows.ts';
import { type Account, failuresOf } from './accounts.ts';
import type { PartFile } from './export/part-file.ts';
import { Failure, failureFrom, usage } from './failure.ts';
import { startProgress } from './progress.ts';
import { remember } from './remember.ts';
import { isBuiltIn } from './session.ts';
import type { Shell } from './shell.ts';
import { showPages } from './show.ts';
import type { Showing } from './show-flags.ts';
import type { Pages, Tally } from './shown-pages.ts';
import { rangeOf, type Since, type Watch } from './since.ts';
import { fileOf } from './sink.ts';
import type { View } from './view.ts';

/** What one run of a list has to do. */
export interface ListRun {
  readonly shell: Shell;
  readonly operation: Operation;
  readonly showing: Showing;
  readonly view: View;
  readonly args: Arguments;
  readonly notes: readonly string[];
  /** Counts what the operation lists. */
  readonly count: Operation | undefined;
  /** Where the rows go, if that can be gone on with. */
  readonly file: PartFile | undefined;
  readonly since: Since | undefined;
  /** The day that words are counted from, and the service's. */
  readonly day: string;
  readonly serviceDay: string;
}

/** What is read of one account. */
interface Source {
  readonly account: Account;
  readonly args: Arguments;
  readonly cut: Cut;
  readonly watch: Watch | undefined;
}

type RowPages = AsyncGenerator<Listed<RowPage<unknown>>>;

export async function showAccounts(run: ListRun, accounts: readonly Account[]): Promise<void> {
  const { shell, showing, view, file, since } = run;
  const settings = await settingsOf(run, accounts);
  requireSame(file, settings);
  const sources = await sourcesOf(run, accounts);
  const failures = failuresOf(shell);
  const tally = tallyFrom(file);
  const pages = pagesOf(run, sources, failures, (account, windows) =>
    saveState(run, sources, { settings, account, windows, tally }),
  );
  const progress = progressOf(run, sources);
  const onPage = (rows: number) => progress?.add(rows);
  try {
    await showPages(shell, showing, view, withNotes(run, pages), { tally, into: file, onPage });
  } catch (error) {
    throw file?.isKept ? kept(error, shell, file, tally) : error;
  } finally {
    progress?.stop();
  }
  await remember(shell, run.operation, run.args, tally.first ?? []);
  const good = accounts.filter((account) => !failures.has(account));
  await since?.save(good.map(({ profile }) => profile));
}

function tallyFrom(file: PartFile | undefined): Tally {
  const { rows = 0, first } = file?.held ?? {};
  return { pages: 0, rows, ...(first && { first }) };
}

function requireSame(file: PartFile | undefined, settings: string): void {
  if (!file?.held || file.held.settings === settings) return;
  throw usage(`${file.part} was begun by another command`, {
    hint: 'leave --resume away to begin again',
  });
}

interface Stand {
  readonly settings: string;
  /** Accounts that are done, and windows of the next one. */
  readonly account: number;
  readonly windows: number;
  readonly tally: Tally;
}

async function saveState(
  { file, day, serviceDay }: ListRun,
  sources: readonly Source[],
  { settings, account, windows, tally }: Stand,
): Promise<void> {
  const windowDays = sources.map(({ cut }) => cut.days ?? null);
  const seen = sources.map(({ watch }) => [...(watch?.seen ?? [])]);
  const { rows, first = null } = tally;
  const words = { settings, day, serviceDay };
  await file?.save({ version: 1, ...words, windowDays, account, windows, rows, first, seen });
}

/** What must be the same for a file to be gone on with. */
async function settingsOf(run: ListRun, accounts: readonly Account[]): Promise<string> {
  if (!run.file) return '';
  const { fingerprint } = await import('./export/checkpoint.ts');
  const { resume, concurrency, ...shown } = run.showing;
  return fingerprint({
    path: run.operation.path,
    args: run.args,
    shown,
    wire: run.shell.flags.wire ?? 'json',
    // The built-in sandbox has another port each time.
    accounts: accounts.map(({ profile, baseUrl }) =>
      profile !== undefined && isBuiltIn(profile) ? [profile] : [profile, baseUrl],
    ),
  });
}

async function sourcesOf(run: ListRun, accounts: readonly Account[]): Promise<Source[]> {
  const { operation, count, file, since, serviceDay: today } = run;
  const held = file?.held;
  const plan = file && (await import('./export/window-days.ts'));
  return Promise.all(
    accounts.map(async (account, i): Promise<Source> => {
      const { profile, api } = account;
      const args = { ...run.args, ...daysOf(operation, since?.rangeFor(profile)) };
      const days = held
        ? (held.windowDays[i] ?? undefined)
        : await plan?.windowDaysFor(api, operation, args, count);
      const watch = since?.watch(profile);
      watch?.restore(held?.seen[i] ?? []);
      const at = since?.overlap;
      const cut = { today, ...(days !== undefined && { days }), ...(at !== undefined && { at }) };
      return { account, args, watch, cut };
    }),
  );
}

/** The days of a schedule as arguments. */
function daysOf(
  operation: Operation,
  days: { readonly first: string; readonly last: string } | undefined,
): Arguments {
  const range = rangeOf(operation);
  return range && days ? { [range.first]: days.first, [range.last]: days.last } : {};
}

/** The pages of all accounts, one account after the other; the next ones are fetched meanwhile. */
async function* pagesOf(
  run: ListRun,
  sources: readonly Source[],
  failures: ReturnType<typeof failuresOf>,
  save: (account: number, windows: number) => Promise<void>,
): Pages {
  const isNamed = sources.length > 1;
  const { account: start, windows: skip } = run.file?.held ?? { account: 0, windows: 0 };
  const stop = new AbortController();
  const streams = sources
    .slice(start)
    .map((source, i) => begun(pagesFrom(run, source, i === 0 ? skip : 0, stop.signal)));
  try {
    for (const [i, stream] of streams.entries()) {
      const source = sources[start + i] as Source;
      try {
        for await (const page of stream) {
          yield { ...page, rows: shownRows(run.view, source, page, isNamed) };
          // What failed is to be asked again: nothing behind it counts as done.
          if (page.endsWindow && !failures.any) await save(start + i, page.window + 1);
        }
      } catch (error) {
        if (sources.length === 1) throw error;
        failures.add(source.account, error);
      }
    }
  } finally {
    stop.abort();
  }
}

function pagesFrom(
  run: ListRun,
  { account, args, cut }: Source,
  skip: number,
  signal: AbortSignal,
): RowPages {
  const { limit, page } = run.showing;
  return account.api.pages(run.operation, args, {
    cut,
    skip,
    signal,
    ...(page !== undefined && { from: page, expectedRows: 0 }),
    ...(limit !== undefined && { expectedRows: limit }),
  }) as RowPages;
}

/** Begins to read before anybody asks for the first page. */
function begun(pages: RowPages): RowPages {
  const first = pages.next();
  first.catch(() => undefined);
  return (async function* () {
    for (let next = await first; !next.done; next = await pages.next()) yield next.value;
  })();
}

/** An error stays a single line: notes come once the service has answered. */
async function* withNotes({ shell, notes }: ListRun, pages: Pages): Pages {
  let left = notes;
  for await (const page of pages) {
    for (const note of left) shell.messages.say(`note: ${note}`);
    left = [];
    yield page;
  }
}

/** The rows of a page as they are shown: those that are new, in the form of the view. */
function shownRows(
  { reshape }: View,
  { watch, account: { profile = '' } }: Source,
  { rows, args }: Listed<RowPage<unknown>>,
  isNamed: boolean,
): readonly unknown[] {
  if (!watch && !reshape && !isNamed) return rows;
  const fresh = (watch ? watch.fresh(rows, args) : rows) as readonly Row[];
  const shaped = reshape ? reshape(fresh) : fresh;
  return isNamed ? shaped.map((row) => ({ profile, ...row })) : shaped;
}

/** Nothing is told where rows go to the same terminal. */
function progressOf({ shell, showing, count }: ListRun, sources: readonly Source[]) {
  const isSeen = fileOf(showing.out) === undefined && shell.context.stdout.isTTY;
  if (!shell.messages.watched || isSeen) return undefined;
  const [only, another] = sources;
  return startProgress(shell, async () => {
    if (!count || !only || another) return undefined;
    const { countRows } = await import('./export/window-days.ts');
    return countRows(only.account.api, count, only.args);
  });
}

/** A file that can be gone on with is worth saying so. */
function kept(error: unknown, { context }: Shell, { part }: PartFile, { rows }: Tally): unknown {
  if (context.signal.aborted) return error;
  const { code, message, hint, status } = failureFrom(error);
  const goOn = `${rows} rows are kept in ${part}; --resume goes on`;
  return new Failure(code, message, {
    hint: hint ? `${hint}; ${goOn}` : goOn,
    status,
    cause: error,
  });
}
