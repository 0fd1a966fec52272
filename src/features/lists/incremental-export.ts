/** The options of an incremental export: `--since-last NAME`, alone or with `--append FILE`. */

import { datingPeriod } from '../../client/paging/windows.ts';
import { addDays, serviceZone } from '../../dates/day.ts';
import { parseDuration } from '../../dates/duration.ts';
import { parsePeriod, possibleDays } from '../../dates/words.ts';
import type { Arguments, Operation, Period } from '../../operations/operation.ts';
import type { Layout, RenderOptions } from '../../output/render-options.ts';
import type { Row } from '../../output/rows/rows.ts';
import type { CommandContext } from '../../shell/context.ts';
import { placeOf, type Sink } from '../../shell/display/sink.ts';
import { usage } from '../../shell/failure.ts';
import { sinceFolder } from '../../shell/folders.ts';
import { lock } from '../../shell/lock.ts';
import { flagName, type Typed } from '../../shell/options/flags.ts';
import type { OutputOptions } from '../../shell/options/show-flags.ts';
import { timeZoneOf } from '../../shell/terminal/zone.ts';
import { digestOf } from '../../storage/fingerprint.ts';
import { accountsOf } from '../earnings/transaction.ts';
import type { RunOptions } from './account-run.ts';
import type { Account } from './accounts.ts';
import { openAppendFile } from './append-file.ts';
import { openSchedule, prepareFolder, type Schedule, statePath } from './schedule.ts';

export type IncrementalExport = Awaited<ReturnType<typeof openIncrementalExport>>;

/** Rejects a name that can't be a file name, or that looks like a time. */
export function requireName(name: string): void {
  // Any day will do: only the form of the name counts.
  const someDay = '2026-03-18';
  const isTime =
    possibleDays(name, someDay).length > 0 ||
    parsePeriod(name, someDay) !== undefined ||
    parseDuration(name) !== undefined;
  if (isTime) {
    throw usage(`--since-last requires a name of your choice, not a time such as '${name}'.`, {
      hint: 'For the time, use --since or --period.',
    });
  }
  if (/^[\w.-]{1,64}$/.test(name) && !name.startsWith('.')) return;
  throw usage(`Invalid --since-last '${name}'.`, {
    hint: 'Use a name of up to 64 letters, digits, dots, dashes and underscores.',
  });
}

/**
 * Adds the days of a first run to what was typed: from the typed first day, or yesterday, to today in the zone. Throws
 * a usage failure if a last day was typed, because it is always today.
 */
export function withIncrementalDays(operation: Operation, typed: Typed, today: string): Typed {
  const range = periodOf(operation);
  if (typed[range.last] !== undefined) {
    const option = flagName(operation, range.last);
    throw usage(`--since-last always ends today. Omit ${option}.`);
  }
  const by = operation.params[range.first]?.range?.name ?? '';
  if (typed[by] !== undefined) return typed;
  return {
    ...typed,
    [range.first]: typed[range.first] ?? addDays(today, -1),
    [range.last]: today,
  };
}

function periodOf(operation: Operation): Period {
  const range = datingPeriod(operation);
  if (range) return range;
  throw usage('--since-last works only with lists of a period, such as cb orders list.');
}

/** Opens and locks the schedule that --since-last names, and the file to which its rows are added. */
export async function openIncrementalExport(
  cmd: CommandContext,
  operation: Operation,
  args: Arguments,
  output: OutputOptions,
  from: Pick<RunOptions, 'today' | 'start'>,
) {
  const { context, messages } = cmd;
  const { sinceLast: name = '' } = output;
  const range = periodOf(operation);
  const folder = sinceFolder(context);
  const place = placeOf(context, output.append, '--append');
  const append = place.kind === 'screen' ? undefined : place.path;
  await prepareFolder(folder);
  const locks = [await lock(context, statePath(folder, name))];
  const unlock = async () => {
    for (const release of locks.toReversed()) await release();
  };
  const assertHeld = () => {
    for (const lock of locks) lock.assertHeld();
  };
  try {
    // Two schedules may share a file.
    if (append !== undefined) locks.push(await lock(context, append));
    const options = { folder, name, operation, range, args, ...from, append, assertHeld };
    const schedule = await openSchedule(options);
    const sink =
      append === undefined
        ? undefined
        : await openAppendSink(append, output, schedule, timeZoneOf(cmd).name);
    if (sink?.note) messages.say(`note: ${sink.note}`);
    return {
      schedule,
      append: sink,
      /** Returns what each account continues. Throws a WorkflowError if the schedule belongs to other accounts. */
      async open(accounts: readonly Account[], args: Arguments) {
        const hasProfile = schedule.file?.columns?.includes('profile') ?? accounts.length > 1;
        if (hasProfile !== accounts.length > 1 && (hasProfile || !output.fields)) {
          const [column, profiles] = hasProfile ? ['a', 'several profiles'] : ['no', 'one profile'];
          throw usage(
            `The rows in ${append} have ${column} column 'profile', because they were written with ${profiles}.`,
            { hint: 'Use as many profiles as before, or another name and another file.' },
          );
        }
        const opened = await Promise.all(
          accounts.map(async ({ profile = '', identity, api }) => {
            // A key that may not ask for its accounts is known by itself only.
            const found = await accountsOf(api).catch(() => []);
            const nicknames = found.length > 0 ? found.toSorted() : undefined;
            return { name: profile, identity, nicknames };
          }),
        );
        const runs = schedule.openAccounts(opened, args);
        for (const { added, days } of runs) {
          if (added.length === 0) continue;
          messages.say(
            `warning: The API key can now also read ${added.join(', ')}. Rows of before ${days?.first} are not in the incremental export '${name}'.`,
          );
        }
        return runs;
      },
      async close() {
        await sink?.discard();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Writes the rows of `--append FILE`. */
async function openAppendSink(
  path: string,
  asked: OutputOptions,
  schedule: Schedule,
  zone: string,
) {
  const { file: state } = schedule;
  // A file that an earlier version began, without layouts, keeps its columns unless a layout is typed.
  const raw = { ...asked, layout: undefined };
  const output = !asked.isLayoutTyped && state?.output === digestOfOutput(raw, zone) ? raw : asked;
  const written = digestOfOutput(output, zone);
  if (state && state.output !== written) {
    throw usage(`The rows in ${path} were written with other output options.`, {
      hint: 'Use the same options as before, or another name and another file.',
    });
  }
  const file = await openAppendFile(path, schedule);
  let layout: Layout | undefined = state?.columns
    ? { columns: state.columns, skeleton: state.skeleton as Row }
    : undefined;
  let closed: Promise<void> | undefined;
  const { header = true, csv } = output;
  // A file that this export has not begun must have the header of its rows, unless the user does without.
  let isForeign = header && !file.isEmpty && !state?.columns && output.format !== 'ndjson';
  const rendering: Partial<RenderOptions> = {
    header: header && (file.isEmpty || isForeign),
    csv: { ...csv, bom: file.isEmpty && (csv.bom ?? false) },
    ...(layout && { keptLayout: layout }),
    onLayout: (found) => {
      layout = found;
    },
  };
  const sink: Sink = {
    shown: false,
    async write(text) {
      const rows = Buffer.from(text as string);
      const head = isForeign ? rows.indexOf('\n') + 1 : 0;
      if (isForeign && !(await file.beginsWith(rows.toString('utf8', 0, head)))) {
        throw usage(`The first line of ${path} is not the header of these rows.`, {
          hint: 'Nothing was written. Use another file. To add the rows anyway, pass --no-header.',
        });
      }
      isForeign = false;
      if (head < rows.length) file.write(rows.subarray(head));
    },
    commit: () => {
      const { columns = null, skeleton = null } = layout ?? {};
      return file.commit({ output: written, columns, skeleton });
    },
    async discard() {
      closed ??= file.close();
      await closed;
    },
  };
  // The output options have the layout of the file; only a new file gets a header.
  return { ...sink, path, note: file.note, output, rendering };
}

/** Of the options that must stay the same for all rows of a file. */
function digestOfOutput(output: OutputOptions, zone: string): string {
  const { format, fields, expand, spread, csv, layout, dates } = output;
  const { bom, ...lines } = csv;
  // Without these, the digest is that of earlier versions.
  const more: unknown[] = layout !== undefined || dates !== undefined ? [layout, dates] : [];
  // Their days are those of the zone.
  const hasDays = dates !== undefined || layout === 'accounting';
  if (hasDays && zone !== serviceZone) more.push(zone);
  return digestOf(JSON.stringify([format, fields, expand, spread, lines, ...more]));
}
