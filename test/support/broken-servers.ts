/** Broken servers, each with the expected error of cb. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A list of one order, as JSON. */
export const order = '{"orderData":{"receipt":"A1","fullName":"Ann"}}';

/** An order that can be reinstated. */
export const canceledOrder =
  '{"orderData":{"receipt":"A1","transactionType":"SALE","lineItemData":{"itemNo":"1","recurring":"true","status":"CANCELED"}}}';

const loginPage = '<!DOCTYPE html><html><body>Log in</body></html>';

/** A complete response, with its correct length unless the headers set another one. */
export function whole(
  body: string | Buffer,
  headers: readonly string[] = [],
  status = '200 OK',
): Buffer {
  const bytes = Buffer.from(body as string);
  const own = headers.some((line) => /^(content-length|transfer-encoding)/i.test(line))
    ? []
    : [`Content-Length: ${bytes.length}`];
  const head = [`HTTP/1.1 ${status}`, ...own, ...headers].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), bytes]);
}

/** Writes repeatedly until the connection is closed. */
function pour(socket: Socket, chunk: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk)) if (socket.writableLength > 1e6) return;
  };
  socket.on('drain', more);
  more();
}

function trickle(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => clearInterval(timer));
}

export interface BrokenServer {
  readonly does: string;
  answer(socket: Socket, number: number): void;
  /** The expected error message. */
  readonly says: RegExp;
  /** The exit code of a read. */
  readonly exit: number;
  /** Seconds after which cb must give up, if nothing else ends it. */
  readonly within?: number | undefined;
}

const says =
  (body: string | Buffer, headers: readonly string[] = [], status = '200 OK') =>
  (socket: Socket) =>
    void socket.write(whole(body, headers, status));

const deep = 100_000;
const chunked = ['Transfer-Encoding: chunked'];
const xml = ['Content-Type: application/xml'];
const klingon = ['Content-Type: application/json; charset=klingon'];
const upgrade = ['Upgrade: x', 'Connection: Upgrade'];

/** Servers with the same exit code and error, by what they do. */
function alike(
  exit: number,
  says: RegExp,
  answers: Readonly<Record<string, BrokenServer['answer']>>,
  within?: number,
): BrokenServer[] {
  return Object.entries(answers).map(([does, answer]) => ({ does, answer, says, exit, within }));
}

export const brokenServers: readonly BrokenServer[] = [
  ...alike(
    6,
    /No complete response/,
    {
      'never answers': () => undefined,
      'sends endless headers slowly': (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        trickle(socket, 'X-A: b\r\n');
      },
      'sends an endless body byte by byte': (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${chunked}\r\n\r\n`);
        trickle(socket, '1\r\n \r\n');
      },
      'never ends the body': (socket) => void socket.write(`HTTP/1.1 200 OK\r\n\r\n${order}`),
    },
    0.3,
  ),
  ...alike(5, /larger than 64 MiB/, {
    'sends a body of 10 GB': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n');
      pour(socket, Buffer.alloc(1_000_000, 32));
    },
    'sends an endless body': (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${chunked}\r\n\r\n`);
      pour(socket, `10000\r\n${' '.repeat(0x10000)}\r\n`);
    },
    'sends gzip that expands to a gigabyte': (socket) =>
      void socket.write(whole(bomb(), ['Content-Encoding: gzip'])),
  }),
  ...alike(5, /an unsupported content encoding/, {
    'uses an encoding that was not accepted': says(order, ['Content-Encoding: br']),
    'compresses twice': says(gzipSync(gzipSync(order)), ['Content-Encoding: gzip, gzip']),
  }),
  ...alike(5, /can't be read/, {
    'truncates its JSON': says(order.slice(0, -5)),
    'truncates its XML': says('<list><orderData><receipt>A1</receipt></orderData>'),
    'says OK and nothing else': says('OK'),
    'nests 100,000 arrays': says('['.repeat(deep) + ']'.repeat(deep)),
    'nests 100,000 objects with an inexact number': says(
      `{"orderData":${'{"a":'.repeat(deep)}1.50${'}'.repeat(deep)}}`,
    ),
    'nests 100,000 XML elements': says('<orderData>'.repeat(deep) + '</orderData>'.repeat(deep)),
    'sends rows that are not objects': says('{"orderData":[1,"x",[true]]}'),
    'sends another list': says('[1,2,3]'),
  }),
  ...alike(6, /Connection closed/, {
    'sends a length that is too large and closes the connection': (socket) =>
      void socket.end(whole(order, ['Content-Length: 1000'])),
    'closes the connection within a chunked body': (socket) =>
      void socket.end(`HTTP/1.1 200 OK\r\n${chunked}\r\n\r\n2f\r\n${order}\r\n`),
  }),
  ...alike(6, /No response from/, {
    'sends two different lengths': says(order, ['Content-Length: 47', 'Content-Length: 20']),
    'sends headers of 100 kB': says(order, [`X-Long: ${'x'.repeat(100_000)}`]),
    'sends 100,000 headers': says(order, Array(100_000).fill('X-A: b')),
  }),
  ...alike(5, /can't be read|No response|Connection closed/, {
    'sends a length that is too small': says(order, ['Content-Length: 20']),
  }),
  ...alike(5, /It is a web page|can't be read/, {
    'sends the login page of a proxy': says(loginPage, ['Content-Type: text/html']),
  }),
  ...alike(5, /DOCTYPE/, {
    'sends a DOCTYPE with exponentially nested entities': says(billionLaughs(), xml),
  }),
  ...alike(5, /a tag of more than 65536 characters/, {
    'sends 5 MB of XML attributes': says(attributes(5e6), xml),
    'sends 5 MB of XML attributes with < and >': says(attributes(5e6, '<>'), xml),
  }),
  ...alike(5, /Maximum nested tags exceeded/, {
    'sends 10 MB of XML elements that are never closed': says('<a>'.repeat(10e6 / 3), xml),
  }),
  ...alike(5, /a text of more than 1048576 characters/, {
    'sends 15 MB of XML entities in one text': says(entities(15e6), xml),
    'sends 15 MB of > in one XML text': says(`<l>${'>'.repeat(15e6)}`, xml),
  }),
  ...alike(5, /a row has 100000 fields; at most 10000 are read/, {
    'sends a row of 100,000 fields': says(wideRow(100_000)),
  }),
  ...alike(
    6,
    /No response from|No complete response|Connection closed/,
    {
      'sends informational responses (100, 103) endlessly': (socket) =>
        pour(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
      'switches to another protocol': says('', upgrade, '101 Switching Protocols'),
    },
    0.3,
  ),
  ...alike(5, /999/, { 'returns the status 999': says('x', [], '999 No') }),
  ...alike(4, /304/, { 'returns 304': says('', [], '304 Not Modified') }),
  ...alike(5, /an unknown character set/, {
    'names an unknown character set': says(order, klingon),
  }),
];

/** A gigabyte of zeros, compressed in identical parts. */
function bomb(): Buffer {
  const part = gzipSync(Buffer.alloc(16 * 1024 * 1024), { level: 1 });
  return Buffer.concat(Array<Buffer>(64).fill(part));
}

function entities(size: number): string {
  return `<l><orderData><receipt>${'&amp;'.repeat(size / 5)}</receipt></orderData></l>`;
}

function billionLaughs(): string {
  const lines = [...Array(9).keys()].map((n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
  return `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">${lines.join('')}]><x>&l9;</x>`;
}

/** One XML element with `size` characters of attributes. */
function attributes(size: number, value = 'x'): string {
  const each = Array.from({ length: size / 12 }, (_, i) => `a${i}="${value}"`);
  return `<list><orderData ${each.join(' ')}/></list>`;
}

function wideRow(fields: number): string {
  const each = Array.from({ length: fields - 1 }, (_, i) => `"f${i}":"x"`);
  return `{"orderData":[{"receipt":"A1",${each}}]}`;
}
