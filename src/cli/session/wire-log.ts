/** Logs requests to stderr: long waits, and with --debug each request and response, without the key. */
import type { ClientEvent, TraceListener } from '../../client/http/sender.ts';
import type { Messages } from '../runtime/messages.ts';

/** Minimum wait that is reported, in milliseconds. */
const longWait = 2000;

export function tellEvent({ tell, debug }: Messages, event: ClientEvent): void {
  if (event.type === 'unshared') {
    debug(`Requests are paced for this process alone: ${event.why}`);
    return;
  }
  if (event.type === 'paced') {
    debug(`Waited ${Math.round(event.milliseconds)} ms to keep the pace.`);
    return;
  }
  const time = `${(event.milliseconds / 1000).toFixed(1)}s`;
  if (event.milliseconds >= longWait) tell(`Waiting ${time}: ${event.why}`);
  else debug(`Waiting ${time}: ${event.why}`);
}

/** Logs each request as it was sent, and the start of each response. */
export function wireLog({ debug }: Messages): TraceListener {
  return {
    sent({ number, method, url, headers }) {
      debug(`> ${method} ${url} page ${headers.page}`);
      debug(`  #${number} ${inWords(headers)}`);
    },
    answered({ number, method, url, headers }, answer, took) {
      const size = `${answer.bytes} bytes in ${Math.round(took)} ms`;
      debug(`< ${answer.status} ${method} ${url} page ${headers.page}: ${size}`);
      debug(`  #${number} ${inWords(answer.headers)}`);
      const { body } = answer;
      if (body !== '') debug(`  #${number} ${inOneLine(body)}`);
    },
    failed({ number, method, url, headers }, why, took) {
      const end = `${why.replace(/\.$/, '')}, after ${Math.round(took)} ms`;
      debug(`< no response to ${method} ${url} page ${headers.page}: ${end} (#${number})`);
    },
  };
}

function inWords(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');
}

/** Number of characters of a body that are shown. */
const shownLength = 2048;

/** Escapes line breaks, so that nothing in a body looks like a line of cb. */
function inOneLine(body: string): string {
  const line = body.slice(0, shownLength).replace(/\s+/g, ' ').trim();
  return body.length < shownLength ? line : `${line}… (use --raw to see all of it)`;
}
