/** Yields the pages of a list from all accounts, in order. */

import type { RowPage } from '../../client/paging/pages.ts';
import type { Cut } from '../../client/paging/windows.ts';
import { isWithin, type ZonedRange } from '../../client/zoned-period.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import type { Row } from '../../output/rows/rows.ts';
import type { Page } from '../../output/stream.ts';
import type { CommandContext } from '../../shell/context.ts';
import { fileOf } from '../../shell/display/sink.ts';
import type { ListRequest, View } from '../../shell/display/view.ts';
import { exitCodes, failureFrom } from '../../shell/failure.ts';
import type { OutputOptions } from '../../shell/options/show-flags.ts';
import type { EndpointOptions } from '../mirror/arguments.ts';
import type { AccountRun } from './account-run.ts';
import { type Account, reportFailure } from './accounts.ts';
import type { IncrementalExport } from './incremental-export.ts';
import type { PartFile } from './part-file.ts';

export interface ListRun {
  readonly cmd: CommandContext;
  readonly operation: Operation;
  readonly output: OutputOptions;
  readonly view: View;
  /** The arguments of each request; the rows of the requests follow each other. */
  readonly each: readonly [Arguments, ...Arguments[]];
  /** The parameter in which they differ. */
  readonly many: string | undefined;
  /** The rows belong to several accounts. */
  readonly hasAccounts: boolean;
  readonly notes: readonly string[];
  readonly tellMore: EndpointOptions['tellMore'];
  /** Where the rows go, if a later run can resume it. */
  readonly file: PartFile | undefined;
  readonly since: IncrementalExport | undefined;
  /** The time zone of the days, and the periods in it to which rows are limited. */
  readonly zone: string;
  readonly bounds: readonly ZonedRange[];
  /** `day` is today in the time zone of the user; `serviceDay` is today at the service. */
  readonly day: string;
  readonly serviceDay: string;
}

export interface Source extends ListRequest {
  readonly account: Account;
  readonly cut: Cut;
  /** The state of an incremental export for this account. */
  readonly since: AccountRun | undefined;
}

/** All rows up to the end of a window are written. */
export interface ExportPosition {
  /** Index of the source. */
  readonly account: number;
  readonly windows: number;
}

/** Yields one source after another, and prefetches the first pages of the next ones. */
export async function* pagesOf(
  run: ListRun,
  sources: readonly Source[],
  save: (position: ExportPosition) => Promise<void>,
): AsyncGenerator<Page> {
  const failed = new Set<Source>();
  let { notes } = run;
  const { limit, page, sort, maxPages } = run.output;
  // A nightly export prints nothing that is the same every night.
  const isWhole = (limit ?? page) === undefined && (!run.since || run.cmd.messages.watched);
  const leftOut = isWhole ? run.view.leftOut : undefined;
  const { account: start, windows: skip } = run.file?.held ?? { account: 0, windows: 0 };
  const stop = new AbortController();
  const readers = sources.slice(start).map((source, i) => {
    const pages = source.account.api.pages(run.operation, source.args, {
      ...{ numbers: 'exact', cut: source.cut, skip: i === 0 ? skip : 0, signal: stop.signal },
      ...{ maxPages, onCountMismatch: onCountMismatch(run) },
      ...(page !== undefined && { from: page, expectedRows: 0 }),
      ...(limit !== undefined && !sort && { expectedRows: limit }),
    });
    const first = pages.next();
    first.catch(() => undefined);
    return { source, account: start + i, pages, first };
  });
  for (const source of sources.slice(0, start)) source.since?.finish();
  try {
    for (const { source, account, pages, first } of readers) {
      let next: typeof first | undefined = first;
      const read = async () => {
        try {
          const { value } = await (next ?? pages.next());
          next = undefined;
          return value as RowPage<unknown> | undefined;
        } catch (error) {
          if (sources.length === 1) throw error;
          reportSource(run, source, error, failed.size === sources.length - 1);
          failed.add(source);
          return undefined;
        }
      };
      let window: RowPage<unknown>[] = [];
      for (let last = await read(); last; last = await read()) {
        window.push(last);
        // A failure leaves no rows of a window that a later run reads again.
        if (source.since && !last.endsWindow) continue;
        for (const page of window) {
          leftOut?.see(source.account.api, page.rows as readonly Row[]);
          // Notes follow the response, so that an error stays a single line.
          for (const note of notes) run.cmd.messages.say(`note: ${note}`);
          notes = [];
          const position = { account, windows: page.window + 1 };
          // If a source failed, no checkpoint is saved: a resumed run could not add its rows.
          const isSaved = page.endsWindow && (!run.file || failed.size === 0);
          yield {
            ...(page as RowPage<Row>),
            rows: shownRows(run, source, page),
            ...(isSaved && { written: () => save(position) }),
          };
        }
        window = [];
      }
      if (!failed.has(source)) source.since?.finish();
    }
    await leftOut?.end();
    for (const sentence of leftOut?.sentences() ?? []) run.cmd.messages.say(`note: ${sentence}`);
  } finally {
    stop.abort();
  }
}

/** Reports a source that failed while others continue. Throws if the error would end the others, too, or if all failed. */
function reportSource(run: ListRun, { account, args }: Source, error: unknown, isLast: boolean) {
  const { cmd, each, many = '', hasAccounts } = run;
  const isRefused = each.length > 1 && failureFrom(error).code === exitCodes.refused;
  if (!isRefused && !hasAccounts) throw error;
  const { [many]: id } = args as Readonly<Record<string, unknown>>;
  const parts = [hasAccounts && `Profile ${account.profile}`, isRefused && String(id)];
  reportFailure(cmd, parts.filter(Boolean).join(': '), error, isLast);
}

/**
 * Compares the rows of a file with the count of ClickBank; undefined for other output, which a person or a program
 * reads on.
 */
function onCountMismatch({ cmd, output: { out, append, limit } }: ListRun) {
  const file = append ?? fileOf(out);
  if (file === undefined || limit !== undefined) return undefined;
  return ({ message }: Error) => {
    cmd.messages.say(
      `warning: ${message} A second try returned the same numbers, so ${file} may lack rows.`,
    );
    cmd.endWith(exitCodes.incomplete);
  };
}

function shownRows(
  { view: { reshape }, hasAccounts, bounds }: ListRun,
  { since, take, account: { profile = '' } }: Source,
  { rows: read, args }: RowPage<unknown>,
): readonly Row[] {
  const rows = read.filter((row) => bounds.every((range) => isWithin(row, range)));
  const taken = take ? take(rows as readonly Row[]) : rows;
  const fresh = (since ? since.take(taken, args) : taken) as readonly Row[];
  const shaped = reshape ? reshape(fresh) : fresh;
  return hasAccounts ? shaped.map((row) => ({ profile, ...row })) : shaped;
}
