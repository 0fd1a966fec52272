/** Reads the bodies of requests within limits of size and memory. */
import type { IncomingMessage } from 'node:http';

/** A request that is answered with a status and nothing else. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface BodyLimits {
  /** Maximum number of bytes of a body. */
  readonly bytes: number;
  /** Maximum number of bytes of all bodies that are being received. */
  readonly allBytes: number;
}

/** Throws Refused with 413 or 503, and the error of a connection that was closed. */
export function bodyReader({ bytes: most, allBytes }: BodyLimits) {
  let held = 0;
  return async (request: IncomingMessage): Promise<Buffer> => {
    if (Number(request.headers['content-length'] ?? 0) > most) throw tooLong();
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        bytes += chunk.length;
        held += chunk.length;
        if (bytes > most) throw tooLong();
        if (held > allBytes) throw new Refused(503, 'Too many notifications at a time.');
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } finally {
      held -= bytes;
    }
  };
}

function tooLong(): Refused {
  return new Refused(413, 'The body is too long.');
}
