/** A notification as people save it: the body alone, or a whole HTTP request with its headers. */

export interface RequestText {
  /** Names and values in the order received; empty if the text is only a body. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Text that begins with a header or with a line such as `POST /ins HTTP/1.1` has headers up to the first empty line. */
export function readRequestText(text: string): RequestText {
  const [, head, body = ''] = /^([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(text.trimStart()) ?? [];
  const lines = head?.split(/\r?\n/) ?? [];
  const fields = lines.filter((line) => !/^[A-Z]+ \S+ HTTP\/[\d.]+$/.test(line)).map(headerOf);
  const headers = fields.filter((header) => header !== undefined);
  const isRequest = lines.length > 0 && headers.length === fields.length;
  return isRequest ? { headers, body } : { headers: [], body: text };
}

/** Returns undefined for text that is not `Name: value`. */
export function headerOf(line: string): readonly [name: string, value: string] | undefined {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/.exec(line) ?? [];
  return name === undefined || value === undefined ? undefined : [name, value.trim()];
}

/** The names of headers that look like a signature. */
export function signatureHeaders(headers: RequestText['headers']): readonly string[] {
  return headers.map(([name]) => name).filter((name) => /sign|hmac|digest|hash|auth/i.test(name));
}
