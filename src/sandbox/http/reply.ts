/** Turns the result of a handler into a status, a media type, and a body. */
import type { Operation, Returns } from '../../operations/operation.ts';
import type { Resource } from '../../operations/resource.ts';
import { type Row, writeCsv, writeJson, writeJsonList } from '../codec/json.ts';
import { writeXml, writeXmlCount, writeXmlList } from '../codec/xml.ts';
import { writeXsd } from '../codec/xsd.ts';
import type { BareText, Page, Reply } from '../request/handlers.ts';

type Kind = Returns['kind'];

const XML = 'application/xml';
const JSON_TYPE = 'application/json';
const TEXT = 'text/plain';
const CSV = 'text/csv';

const DATA: readonly string[] = [XML, JSON_TYPE];
/** Media types of responses that the specification leaves open. */
const UNLISTED: readonly string[] = [TEXT, XML, JSON_TYPE];

/** The media types of each kind of response, the default first. Responses without a body match every Accept. */
const OFFERED: Readonly<Record<Kind, readonly string[] | undefined>> = {
  nothing: undefined,
  count: UNLISTED,
  text: UNLISTED,
  schema: [XML],
  answer: DATA,
  one: DATA,
  list: DATA,
  pages: DATA,
};

export function offeredBy({ returns }: Operation): readonly string[] | undefined {
  if (returns.kind === 'count' && returns.asData) return DATA;
  const offered = OFFERED[returns.kind];
  return returns.kind === 'one' && returns.csv ? [...(offered ?? []), CSV] : offered;
}

function rowBody(type: string, resource: Resource, row: Row): string {
  if (type === CSV) return writeCsv(resource, row);
  return type === XML ? writeXml(resource, row) : writeJson(resource, row);
}

type Listing = Extract<Returns, { kind: 'list' | 'pages' }>;

function listBody(type: string, { inside, resource }: Listing, content: unknown): string {
  if (inside) return rowBody(type, inside, content as Row);
  const write = type === XML ? writeXmlList : writeJsonList;
  return write(resource, content as readonly Row[]);
}

/** Writes a bare number, except in XML, where it would not be a document. */
function countBody(type: string, count: number): string {
  return type === XML ? writeXmlCount(count) : String(count);
}

export function replyWith(returns: Returns, type: string, result: unknown): Reply {
  switch (returns.kind) {
    case 'nothing':
      return { status: 204 };
    case 'answer':
      return { status: result ? 204 : returns.noStatus };
    case 'count':
      return { status: 200, type, body: countBody(type, result as number) };
    case 'text': {
      const { text, created } = result as BareText;
      return { status: created ? 201 : 200, type: TEXT, body: text };
    }
    case 'schema':
      return { status: 200, type, body: writeXsd(...[result as Resource | Resource[]].flat()) };
    case 'one':
      return { status: 200, type, body: rowBody(type, returns.resource, result as Row) };
    case 'list':
      return { status: 200, type, body: listBody(type, returns, result) };
    case 'pages': {
      const { content, more } = result as Page<unknown>;
      return { status: more ? 206 : 200, type, body: listBody(type, returns, content) };
    }
  }
}
