/** The tool `read_api`: any read of the catalogue, with all fields of its reply. */
import { catalogue } from '../../operations/index.ts';
import type { Operation } from '../../operations/operation.ts';
import { operationArguments } from '../rows/arguments.ts';
import { type Paging, type Part, pagingArguments, partOf, readPart } from '../rows/paging.ts';
import { count, inputOf, listOf, outputOf, text, yesNo } from '../rows/schemas.ts';
import type { Tool, ToolArguments, ToolCall, ToolResult } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { pagingOf, partText } from './lists.ts';

/** Reads that return data; schemas do not. */
const operations: ReadonlyMap<string, Operation> = new Map(
  catalogue
    .filter(({ method, returns }) => isRead(method) && returns.kind !== 'schema')
    .map((operation) => [operation.command, operation]),
);

function isRead(method: Operation['method']): boolean {
  return method === 'GET' || method === 'HEAD';
}

export const readApi: Tool = {
  name: 'read_api',
  title: 'Read the API',
  description:
    'Call any operation that reads, and get all fields of its reply, for what no other tool shows. Wrong arguments are answered with what the operation accepts.',
  writes: false,
  writtenByOthers: ['all texts'],
  input: inputOf(
    {
      operation: { type: 'string', enum: [...operations.keys()] },
      arguments: { type: 'object', description: 'By parameter name, such as startDate' },
      ...pagingArguments,
    },
    ['operation'],
  ),
  output: outputOf({
    rows: listOf({ type: 'object' }),
    row: { type: 'object' },
    count,
    answer: yesNo,
    text: text(),
    next: text(),
  }),
  async run(args, call) {
    const operation = operations.get(String(args.operation));
    if (!operation) throw new ToolError('There is no such operation.');
    const given = { ...constantsOf(operation), ...(args.arguments as ToolArguments | undefined) };
    requireKnown(operation, given);
    const asked = operationArguments(operation, given, call.today);
    return read(operation, asked, args as Paging, call);
  },
};

function constantsOf({ params }: Operation): ToolArguments {
  const constants = Object.entries(params).filter(([, { constant }]) => constant !== undefined);
  return Object.fromEntries(constants.map(([name, { constant }]) => [name, constant]));
}

function requireKnown({ command, params }: Operation, given: ToolArguments): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(params, name));
  if (unknown === undefined) return;
  const known = Object.entries(params).map(
    ([name, { required }]) => `${name}${required ? ' (required)' : ''}`,
  );
  throw new ToolError(
    `${command} has no parameter ${unknown}.`,
    `It has: ${known.join(', ') || 'none'}. Nothing was sent.`,
  );
}

async function read(
  operation: Operation,
  args: ToolArguments,
  { limit, cursor }: Paging,
  { client }: ToolCall,
): Promise<ToolResult> {
  if (operation.returns.kind === 'pages') {
    return rowsResult(await readPart(client, operation, args, { limit, cursor }));
  }
  const reply: unknown = await client.call(operation, args);
  if (!Array.isArray(reply)) {
    return {
      summary: 'The reply:',
      data: membersOf(reply),
      lines: [JSON.stringify(reply ?? null)],
    };
  }
  return rowsResult(partOf(reply, [operation.path, args], { limit, cursor }));
}

function rowsResult(part: Part<unknown>): ToolResult {
  return {
    summary: `${partText(part, 'row')}.`,
    data: { rows: part.rows, ...pagingOf(part) },
    lines: part.rows.map((row) => JSON.stringify(row)),
    isOurs: part.rows.length === 0,
  };
}

/** The kind of a reply decides on its member: one row, a count, yes or no, or a text. */
function membersOf(reply: unknown): ToolArguments {
  if (typeof reply === 'number') return { count: reply };
  if (typeof reply === 'boolean') return { answer: reply };
  if (typeof reply === 'string') return { text: reply };
  return reply === null || reply === undefined ? {} : { row: reply };
}
