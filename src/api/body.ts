/** The body of an answer: its bytes, and its text when somebody asks for it. */
import { charsetOf, textIn } from './charset.ts';

export interface Body {
  /** Without a byte order mark. */
  readonly text: string;
  /** Its bytes, where these came and are UTF-8. */
  readonly utf8?: Buffer;
}

/** As received, unpacked. Throws a RangeError for a charset that there is none of. */
export function bodyFrom(bytes: Buffer, contentType: string): Body {
  const charset = charsetOf(bytes, contentType);
  if (charset !== undefined) return { text: textIn(bytes, charset) };
  let text: string | undefined;
  return {
    utf8: bytes,
    get text() {
      text ??= textIn(bytes);
      return text;
    },
  };
}
