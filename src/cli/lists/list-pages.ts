/** The pages of a list from all accounts, in order. */
import type { RowPage } from '../../client/paging/lists.ts';
import type { Cut } from '../../client/paging/windows.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import type { Row } from '../../output/rows/rows.ts';
import type { PartFile } from '../../workflows/export/part-file.ts';
import type { AccountRun } from '../../workflows/incremental-export/account-run.ts';
import { heldBack, type Pages } from '../display/shown-pages.ts';
import type { View } from '../display/view.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { type Account, reportFailure } from './accounts.ts';
import type { IncrementalExport } from './incremental-export.ts';

export interface ListRun {
  readonly cmd: CommandContext;
  readonly operation: Operation;
  readonly output: OutputOptions;
  readonly view: View;
  readonly args: Arguments;
  readonly notes: readonly string[];
  /** Where the rows go, if a later run can continue it. */
  readonly file: PartFile | undefined;
  readonly since: IncrementalExport | undefined;
  /** Today where the user counts days, and today at the service. */
  readonly day: string;
  readonly serviceDay: string;
}

export interface Source {
  readonly account: Account;
  readonly args: Arguments;
  readonly cut: Cut;
  /** The state of an incremental export for this account. */
  readonly since: AccountRun | undefined;
}

/** How far an export has come: all rows up to the end of a window are written. */
export interface ExportPosition {
  readonly account: number;
  readonly windows: number;
  readonly isComplete: boolean;
}

type RowPages = AsyncGenerator<RowPage<unknown>>;

/** Yields one account after the other, while the first pages of the next ones are fetched. */
export async function* pagesOf(
  run: ListRun,
  sources: readonly Source[],
  save: (position: ExportPosition) => Promise<void>,
): Pages {
  const failed = new Set<Account>();
  const isNamed = sources.length > 1;
  let { notes } = run;
  const { account: start, windows: skip } = run.file?.held ?? { account: 0, windows: 0 };
  const stop = new AbortController();
  const streams = sources.slice(start).map((source, i) => {
    const stream = prefetched(pagesFrom(run, source, i === 0 ? skip : 0, stop.signal));
    return { source, account: start + i, stream };
  });
  for (const source of sources.slice(0, start)) source.since?.finish();
  try {
    for (const { source, account, stream } of streams) {
      const isLast = account === sources.length - 1;
      const pages = source.since ? heldBack(stream, ({ endsWindow }) => endsWindow) : stream;
      const onError = (error: unknown) => {
        if (!isNamed) throw error;
        reportFailure(run.cmd, source.account, error);
        failed.add(source.account);
      };
      for await (const page of untilError(pages, onError)) {
        // After the response, so that an error stays a single line.
        for (const note of notes) run.cmd.messages.say(`note: ${note}`);
        notes = [];
        yield { ...page, rows: shownRows(run.view, source, page, isNamed) };
        if (!page.endsWindow) continue;
        const position = { account, windows: page.window + 1, isComplete: isLast && !page.more };
        // A resumed run could not add the rows of an account that failed.
        if (!run.file || failed.size === 0) await save(position);
      }
      if (!failed.has(source.account)) source.since?.finish();
    }
  } finally {
    stop.abort();
  }
}

/** Ends at an error unless `onError` throws it. */
async function* untilError(pages: RowPages, onError: (error: unknown) => void): RowPages {
  try {
    yield* pages;
  } catch (error) {
    onError(error);
  }
}

function pagesFrom(
  run: ListRun,
  { account, args, cut }: Source,
  skip: number,
  signal: AbortSignal,
): RowPages {
  const { limit, sort, page, maxPages } = run.output;
  return account.api.pages(run.operation, args, {
    numbers: 'exact',
    cut,
    skip,
    signal,
    maxPages,
    ...(page !== undefined && { from: page, expectedRows: 0 }),
    ...(limit !== undefined && !sort && { expectedRows: limit }),
  });
}

/** Fetches the first page at once. */
function prefetched(pages: RowPages): RowPages {
  const first = pages.next();
  first.catch(() => undefined);
  return (async function* () {
    for (let next = await first; !next.done; next = await pages.next()) yield next.value;
  })();
}

function shownRows(
  { reshape }: View,
  { since, account: { profile = '' } }: Source,
  { rows, args }: RowPage<unknown>,
  isNamed: boolean,
): readonly unknown[] {
  if (!since && !reshape && !isNamed) return rows;
  const fresh = (since ? since.take(rows, args) : rows) as readonly Row[];
  const shaped = reshape ? reshape(fresh) : fresh;
  return isNamed ? shaped.map((row) => ({ profile, ...row })) : shaped;
}
