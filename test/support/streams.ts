/** Streams that keep what is written to them. */
import { Readable, Writable } from 'node:stream';

export class Recorder extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number | undefined;

  constructor({ tty = false, columns = 80 } = {}) {
    super({ decodeStrings: false });
    this.isTTY = tty;
    this.columns = tty ? columns : undefined;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

export function input(text: string, tty: boolean): Readable & { isTTY: boolean } {
  return Object.assign(Readable.from([Buffer.from(text)]), { isTTY: tty });
}
