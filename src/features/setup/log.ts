/** `cb log`: every write that cb has sent, and its outcome. */
import { reasonOf } from '../../client/workflow-error.ts';
import { wallTime } from '../../dates/wall-time.ts';
import { countOf } from '../../decimals/decimals.ts';
import { type Entry, origins, shownState } from '../../ledger/entry.ts';
import { readLedger } from '../../ledger/ledger.ts';
import * as field from '../../operations/resource.ts';
import type { CommandContext } from '../../shell/context.ts';
import { command } from '../../shell/define.ts';
import { ledgerOf } from '../../shell/lock.ts';
import { sinceDay } from '../../shell/options/findings.ts';
import { choiceFrom } from '../../shell/options/values.ts';
import { timeZoneOf } from '../../shell/terminal/zone.ts';

const write = field.resource('write', ['time', 'origin', 'operation', 'about', 'outcome', 'by'], {
  time: field.time,
  ...field.alike(field.text, 'origin', 'operation'),
  about: field.nillable(field.text),
  outcome: field.text,
  ...field.alike(field.nillable(field.text), 'detail', 'action'),
  amount: field.nillable(field.decimal),
  ...field.alike(field.nillable(field.text), 'currency', 'by', 'service', 'file'),
  row: field.nillable(field.integer),
  id: field.text,
});

export const log = command({
  words: 'log',
  options: {
    origin: ['--origin <origin>', `Include only writes of one origin: ${origins.join(', ')}`],
    since: ['--since <date>', 'First day'],
    unknown: ['--unknown', 'Include only writes whose outcome is unknown'],
  },
  rows: write,
  help: {
    notes: [
      'Shows the writes of this user on this machine, newest first. They come from commands, imports, the ticket queue, agents, and programs that use the library with this ledger. An unknown outcome means that ClickBank may have carried out the write, for example because cb was stopped before the response arrived. The amount of a refund is in the currency of the customer. Sends no requests.',
    ],
    examples: ['cb log', 'cb log --unknown', 'cb log --origin queue --since today -o csv'],
    topics: ['safety', 'output'],
  },
  async run(cmd, { origin: typed, since, unknown }) {
    const origin = choiceFrom('--origin', typed, origins);
    const zone = timeZoneOf(cmd).name;
    const today = wallTime(cmd.context.now().toISOString(), zone).slice(0, 10);
    const first = since === undefined ? '' : sinceDay(since, today);
    const isAsked = (row: LogRow) =>
      (origin === undefined || row.origin === origin) &&
      wallTime(row.time, zone) >= first &&
      (!unknown || ['unknown', 'sending'].includes(row.outcome));
    const { entries, imports } = await ledgerOf(cmd.context).read();
    const rows = [...entries.values()].map((entry) => logRow(cmd, entry));
    if (origin === undefined || origin === 'import') {
      for (const path of imports.keys()) rows.push(...(await importRows(cmd, path)));
    }
    return rows
      .reverse()
      .filter(isAsked)
      .sort((one, other) => other.time.localeCompare(one.time));
  },
});

type LogRow = ReturnType<typeof logRow>;

function logRow({ context }: CommandContext, entry: Entry, file: string | null = null) {
  const { id, at, sentAt: time = at, isThere, origin = '', operation = '' } = entry;
  const { about = null, why: detail = null, by = null, service = null } = entry;
  const { action = null, amount = null, currency = null } = entry;
  const state = shownState(entry, context.processes, context.now().getTime());
  const outcome = isThere ? 'already there' : state;
  const row = file === null ? null : Number(id);
  return {
    ...{ id, time, origin, operation, outcome, about, detail, by, service },
    ...{ action, amount, currency, file, row },
  };
}

/** The rows of an import, whose ledger is beside its input. Says how many there are, and what can't be read. */
async function importRows(cmd: CommandContext, path: string): Promise<LogRow[]> {
  const { messages } = cmd;
  try {
    const content = await readLedger({ path, noun: 'journal' });
    const facts = content?.header.facts;
    const rows = [...(content?.entries.values() ?? [])].map((entry) =>
      logRow(cmd, { ...facts, ...entry }, path),
    );
    const open = rows.filter(({ outcome }) => outcome === 'unknown' || outcome === 'sending');
    const unknown = open.length > 0 ? `, ${open.length} with an unknown outcome` : '';
    const note = content ? `${countOf(rows.length, 'row')}${unknown}` : 'its journal is missing';
    // A finished import is no news for a script.
    const say = content && open.length === 0 ? messages.tell : messages.say;
    say(`note: Import ${path}: ${note}.`);
    return rows;
  } catch (error) {
    messages.say(`note: ${reasonOf(error)}`);
    return [];
  }
}
