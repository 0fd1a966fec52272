/** The pages of a list on their way from the accounts to where they are shown. */
import { parse } from 'lossless-json';
import { realClock } from '../../client/clock.ts';
import { toJson } from '../../output/json/json-text.ts';
import { isRowFormat } from '../../output/registry.ts';
import type { Row } from '../../output/rows/rows.ts';
import type { PartFile } from '../../workflows/export/part-file.ts';
import { countRows, windowDaysFor } from '../../workflows/export/window-days.ts';
import { argumentsOf, rangeOf } from '../../workflows/period.ts';
import { startProgress } from '../display/progress.ts';
import { showPages } from '../display/show.ts';
import { heldBack, type Tally } from '../display/shown-pages.ts';
import { fileOf, placeOf } from '../display/sink.ts';
import { remember } from '../endpoint/remember.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import { Failure, failureFrom } from '../runtime/failure.ts';
import type { Account } from './accounts.ts';
import type { Basis } from './held-state.ts';
import { basisOf } from './held-state.ts';
import { type ListRun, type Place, pagesOf, type Source } from './list-pages.ts';

export async function showAccounts(run: ListRun, accounts: readonly Account[]): Promise<void> {
  const { cmd, file, since } = run;
  const basis = file && basisOf(run, file, accounts);
  const sources = await sourcesOf(run, accounts);
  if (file?.held?.isWhole) {
    for (const source of sources) source.since?.finish();
    await file.commit();
  } else {
    const tally = tallyFrom(file);
    await showSources(run, sources, tally, basis);
    await remember(cmd, run.operation, run.args, tally.first ?? []);
  }
  if (!since?.append) await since?.schedule.commit();
}

async function showSources(
  run: ListRun,
  sources: readonly Source[],
  tally: Tally,
  basis: Basis | undefined,
): Promise<void> {
  const { cmd, output, view, file, since } = run;
  const pages = pagesOf(run, sources, (place) => saveWindow(run, sources, tally, basis, place));
  const whole = since && !isWrittenByPage(output) ? heldBack(pages, () => false) : pages;
  const progress = progressOf(run, sources);
  const onPage = (rows: number) => progress?.add(rows);
  const going = { tally, into: since?.append ?? file, rendering: since?.append?.rendering, onPage };
  try {
    await showPages(cmd, output, view, whole, going);
  } catch (error) {
    throw withOutcome(error, run, tally);
  } finally {
    progress?.stop();
  }
}

/** The rows of a page are written before the next page is asked for. */
function isWrittenByPage({ format, query, totals }: OutputOptions): boolean {
  return isRowFormat(format) && query === undefined && !totals;
}

function tallyFrom(file: PartFile | undefined): Tally {
  const { rows = 0, first } = file?.held ?? {};
  return { pages: 0, rows, ...(first && { first: parse(first) as readonly Row[] }) };
}

/** Records that the rows of a window are where they belong. */
async function saveWindow(
  { cmd, output, file, since }: ListRun,
  sources: readonly Source[],
  { rows, first }: Tally,
  basis: Basis | undefined,
  place: Place,
): Promise<void> {
  if (since?.append) return since.append.commit();
  if (file && basis) {
    const windowDays = sources.map(({ cut }) => cut.days ?? null);
    const seen = sources.map(({ since: known }) => known?.seen() ?? {});
    const page = first ? toJson(first as readonly Row[]) : null;
    return file.save({ ...basis, ...place, windowDays, rows, first: page, seen });
  }
  const isGone = placeOf(cmd.context, output.out).kind !== 'file' && isWrittenByPage(output);
  if (isGone) await since?.schedule.commit();
}

async function sourcesOf(run: ListRun, accounts: readonly Account[]): Promise<Source[]> {
  const { operation, count, file, since, serviceDay: today } = run;
  const held = file?.held;
  const { clock = realClock } = run.cmd.context;
  const isCut = file !== undefined || since?.append !== undefined;
  const range = rangeOf(operation);
  // All accounts are looked at before the first request.
  const known = accounts.map(({ profile, identity }) =>
    since?.schedule.openAccount(profile ?? '', identity, run.args),
  );
  return Promise.all(
    accounts.map(async (account, i): Promise<Source> => {
      const exported = known[i]?.days;
      const args = { ...run.args, ...(range && exported && argumentsOf(range, exported)) };
      const days = held
        ? (held.windowDays[i] ?? undefined)
        : isCut
          ? await windowDaysFor(account.api, operation, args, { count, clock })
          : undefined;
      known[i]?.restore(held?.seen[i] ?? {});
      const dailyFrom = since?.schedule.dailyFrom;
      const cut = { today, ...(days !== undefined && { days }), ...(dailyFrom && { dailyFrom }) };
      return { account, args, since: known[i], cut };
    }),
  );
}

/** Nothing is told where rows go to the same terminal. */
function progressOf({ cmd, output, count }: ListRun, sources: readonly Source[]) {
  const isSeen = fileOf(output.out ?? output.append) === undefined && cmd.context.stdout.isTTY;
  if (!cmd.messages.watched || isSeen) return undefined;
  const [only, another] = sources;
  return startProgress(cmd, async () => {
    if (!count || !only || another) return undefined;
    return countRows(only.account.api, count, only.args);
  });
}

/** What became of the rows so far is worth saying. */
function withOutcome(error: unknown, { cmd, file, since }: ListRun, { rows }: Tally): unknown {
  if (cmd.context.signal.aborted) return error;
  const outcome = file?.isKept
    ? `${rows} rows are kept in ${file.part}. Pass --resume to continue.`
    : since?.append && `The next run adds the missing rows to ${since.append.path}.`;
  if (!outcome) return error;
  const { code, message, hint, status } = failureFrom(error);
  const before = hint && (hint.endsWith('.') ? hint : `${hint};`);
  const hints = before && hint !== outcome ? `${before} ${outcome}` : outcome;
  return new Failure(code, message, { hint: hints, status, cause: error });
}
