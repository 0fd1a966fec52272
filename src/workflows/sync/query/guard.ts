/**
 * Refuses functions and tables of SQLite that reach beyond the copy. The file is opened for reading, but the driver comes
 * with functions that read and write other files, load code, or run SQL in a text.
 */
import type { QueryConnection } from '../../../storage/sqlite.ts';
import { QueryError, type Statement } from './statement.ts';

/** Of SQLite itself: safe even in views of a hostile file (SQLITE_INNOCUOUS). */
const innocuous = 0x200000;

/** Of the extensions in the driver: they only compute. */
const computing = new Set([
  ...['acos', 'acosh', 'asin', 'asinh', 'atan', 'atan2', 'atanh', 'atn2', 'ceil', 'ceiling', 'cos'],
  ...['cosh', 'cot', 'coth', 'degrees', 'exp', 'floor', 'ln', 'log', 'log10', 'log2', 'mod', 'pi'],
  ...['pow', 'power', 'radians', 'sign', 'sin', 'sinh', 'sqrt', 'square', 'tan', 'tanh', 'trunc'],
  ...['stdev', 'variance', 'mode', 'median', 'lower_quartile', 'upper_quartile'],
  ...['charindex', 'difference', 'leftstr', 'rightstr', 'padc', 'padl', 'padr', 'proper'],
  ...['replicate', 'reverse', 'strfilter', 'match', 'bm25', 'highlight', 'snippet'],
]);

/** Table-valued functions that only compute. All others are refused by their names. */
const tables = /^(?:json_each|json_tree|generate_series|pragma_\w+)$/i;

/** Instructions of SQLite's bytecode that change something, or that begin a transaction that may. */
const changing =
  /^(?:OpenWrite|Insert|IdxInsert|Delete|IdxDelete|Destroy|Clear|CreateBtree|SqlExec|ParseSchema|DropTable|DropIndex|DropTrigger|Vacuum|JournalMode|Checkpoint|SetCookie|AutoCommit|Savepoint|VCreate|VDestroy|VUpdate|VBegin|VRename|Program|IncrVacuum|LoadAnalysis|Expire)$/;

/** These write into tables of the statement itself, too, such as sorters. */
const ownTables = /^(?:Insert|IdxInsert|Delete|IdxDelete|Clear)$/;

/** Asks SQLite how it would run the statement, which runs nothing. Throws a QueryError. */
export function requireHarmless(connection: QueryConnection, statement: Statement): void {
  const sql = withoutBlobs(statement).replace(/^EXPLAIN (?:QUERY PLAN )?/i, '');
  const program = connection.rowsOf(`EXPLAIN ${sql}`, marks(statement)).map(instructionOf);
  const writes = program.some(
    ({ name, isWrite }) => isWrite || (changing.test(name) && !ownTables.test(name)),
  );
  if (writes) throw new QueryError('cb sql only reads.', { hint: 'Use a SELECT.' });
  const allowed = functionsOf(connection);
  for (const { called } of program) {
    if (called !== undefined && !allowed.has(called)) throw refused(called, 'function');
  }
  if (program.some(({ name }) => name === 'VOpen')) requireKnownTables(connection, statement);
}

/** The driver aborts the process on text that is not UTF-8, which EXPLAIN returns for a blob. */
export function withoutBlobs({ tokens }: Statement): string {
  const isBlob = (i: number) => {
    const [mark, text] = [tokens[i], tokens[i + 1]];
    const isAdjacent = mark && text?.kind === 'string' && text.at === mark.at + 1;
    return isAdjacent && /^x$/i.test(mark.text);
  };
  return tokens
    .map(({ kind, text }, i) => {
      if (kind === 'variable') return '?';
      if (isBlob(i)) return "x''";
      return isBlob(i - 1) ? '' : text;
    })
    .join(' ');
}

function marks({ parameters }: Statement): null[] {
  return parameters.map(() => null);
}

interface Instruction {
  readonly name: string;
  /** The function that it calls, in lower case. */
  readonly called: string | undefined;
  /** It begins a transaction that writes. */
  readonly isWrite: boolean;
}

/** A row of EXPLAIN: addr, opcode, p1, p2, p3, p4, p5, comment. */
function instructionOf([, opcode, , p2, , p4]: readonly unknown[]): Instruction {
  const name = String(opcode);
  const isCall = /^(?:Pure)?Func(?:tion)?$|^Agg(?:Step|Step1|Inverse|Value|Final)$/.test(name);
  const called = isCall ? /^(.*)\(-?\d+\)$/s.exec(String(p4))?.[1] : undefined;
  return {
    name,
    // A call that can't be read is refused.
    called: isCall ? (called ?? String(p4)).toLowerCase() : undefined,
    isWrite: name === 'Transaction' && String(p2) !== '0',
  };
}

function functionsOf(connection: QueryConnection): ReadonlySet<string> {
  const known = connection.rowsOf('SELECT name, flags FROM pragma_function_list', []);
  const safe = known.filter(([, flags]) => (Number(flags) & innocuous) !== 0);
  return new Set([...safe.map(([name]) => String(name).toLowerCase()), ...computing]);
}

/** SQLite accepts the name of a table as a text, too. */
function requireKnownTables(connection: QueryConnection, { tokens }: Statement): void {
  const modules = connection.rowsOf('SELECT name FROM pragma_module_list', []).map(([name]) => {
    return String(name).toLowerCase();
  });
  for (const { kind, value } of tokens) {
    if (kind === 'sign' || kind === 'number' || tables.test(value)) continue;
    if (modules.includes(value.toLowerCase())) throw refused(value, 'table');
  }
}

function refused(name: string, what: 'function' | 'table'): QueryError {
  return new QueryError(`The ${what} ${name} can't be used, because cb sql reads only the copy.`);
}
