/** `cb api METHOD PATH`: any request, unchecked. */
import { createHash } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { HttpResponse } from '../../client/http/http-client.ts';
import { isWebPage, refusal } from '../../client/http/http-errors.ts';
import { hasDotSegment, type Request } from '../../client/http/request.ts';
import { isWrite, type Method } from '../../operations/operation.ts';
import { requestQuestion } from '../../safe-write/confirmation.ts';
import { mayBeDone, sendRecorded, unknownOutcome } from '../../safe-write/safe-write.ts';
import type { CommandContext } from '../../shell/context.ts';
import { command, repeatable } from '../../shell/define.ts';
import { type Sink, writeTo } from '../../shell/display/sink.ts';
import { exitCodes, Failure, usage } from '../../shell/failure.ts';
import { connectionOptions } from '../../shell/help/help-text.ts';
import { wholeNumber } from '../../shell/options/flags.ts';
import { withApi } from '../../shell/session/session.ts';
import { recorderFor } from '../../shell/session/write-recorder.ts';
import { confirm, requirePrompts } from '../../shell/terminal/ask.ts';

export const api = command({
  words: 'api',
  args: {
    '<method>': 'GET, HEAD, POST, PUT or DELETE',
    '<path>': 'Path of the API, such as /1.3/orders2/count',
  },
  options: {
    field: ['-f, --field <key=value>', 'Query parameter (repeatable)', repeatable],
    page: ['--page <n>', 'Page number, sent in the Page header'],
    paginate: ['--paginate', 'Request all pages and print one body after the other'],
    include: ['-i, --include', 'Print the response status and headers too'],
    yes: ['-y, --yes', 'Send the request without asking for confirmation'],
    dryRun: ['--dry-run', 'Print the request, but do not send it'],
  },
  help: {
    notes: ['Prints the response as received. cb does not check the request.'],
    obeys: connectionOptions,
    effect: 'destroys',
    asks: true,
    examples: [
      'cb api GET /1.3/orders2/count -f startDate=2026-01-01 -f endDate=2026-01-31',
      'cb api GET /1.3/orders2/list --paginate',
      'cb api POST /1.3/orders2/CANCEL01/reinstate --yes -i',
    ],
    topics: ['safety', 'credentials', 'exit-codes'],
  },
  async run(cmd, flags) {
    const request = requestOf(flags.method, flags.path, flags.field ?? []);
    const { method, path, query } = request;
    const line = [`${method} ${path}`, ...query.map(([name, value]) => `${name}=${value}`)].join(
      ' ',
    );
    const needsConfirmation = isWrite(request) && !flags.yes;
    if (flags.dryRun) {
      if (isWrite(request))
        cmd.messages.say('Not checked: cb does not know what this request does.');
      await writeTo(cmd.context, undefined, (sink) => sink.write(`${line}\n`));
      return;
    }
    const { page: typed = '1', paginate } = flags;
    if (paginate && isWrite(request)) {
      throw usage(`--paginate reads more pages, and a ${method} request is sent once.`);
    }
    if (paginate && typed !== '1') {
      throw usage('--page cannot be combined with --paginate.', { hint: 'Use one or the other.' });
    }
    const page = wholeNumber('--page', typed, 1, 999_999_999);
    if (needsConfirmation) requirePrompts(cmd);
    await withApi(cmd, {}, async (api, session) => {
      if (needsConfirmation) await confirm(cmd, requestQuestion(request, session.baseUrl));
      if (!isWrite(request)) return printAnswers(cmd, api, request, page, flags);
      // Its effects are unknown, so nothing but the answer says that it is done.
      const args = { ...Object.fromEntries(request.query), id: `${method} ${path}` };
      const record = recorderFor(cmd, session, flags.yes);
      let answer: HttpResponse | undefined;
      const sent = sendRecorded(record, { command: 'api', params: {} }, args, async () => {
        answer = await api.send(request, page);
        requireAccepted(request, answer);
      }).catch((error) => {
        // A write without a clear response may be done. cb can't verify an arbitrary request.
        if (!(error instanceof ApiError) || !mayBeDone(error)) throw error;
        throw unknownOutcome(error, 'cb does not know what this request does');
      });
      await sent.catch(() => undefined);
      try {
        // Whoever reads the output has no part in the write.
        await writeTo(cmd.context, undefined, async (sink) => {
          if (answer) await printAnswer(sink, answer, flags.include);
        });
      } finally {
        await sent;
      }
    });
  },
});

const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

/** Refuses a path that names another host or leaves the base URL: the key must not go there. */
function requestOf(word: string, path: string, field: readonly string[]): Request {
  const method = methods.find((one) => one === word.toUpperCase());
  if (!method) throw usage(`Invalid <method> '${word}'. Use GET, HEAD, POST, PUT or DELETE.`);
  // A query can contain question marks too.
  const [bare = '', ...rest] = path.split('?');
  const isPath = /^\/(?!\/)[\x21-\x7e]*$/.test(bare) && !/[\\#]/.test(bare);
  if (!isPath || hasDotSegment(bare)) {
    const wanted = 'Use a path of the service, such as /1.3/orders2/count.';
    throw usage(`Invalid <path> '${path}'. ${wanted}`, {
      hint: 'Nothing was sent. The segments . and .. are not allowed, not even percent-encoded.',
    });
  }
  const query = field.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    if (at < 1) throw usage(`Invalid --field '${pair}'. Use key=value.`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return {
    method,
    path: bare.startsWith('/rest/') ? bare : `/rest${bare}`,
    query: [...new URLSearchParams(rest.join('?')), ...query],
  };
}

/** Throws for an error response to a read, after its body was printed. */
async function printAnswers(
  cmd: CommandContext,
  api: Client,
  request: Request,
  first: number,
  flags: { readonly include?: boolean; readonly paginate?: boolean },
): Promise<void> {
  let last: HttpResponse | undefined;
  await writeTo(cmd.context, undefined, async (sink) => {
    const seen = new Set<string>();
    for (let page = first; ; page++) {
      const answer = await api.send(request, page);
      const hash = createHash('sha256').update(answer.body).digest('base64');
      if (answer.status === 206 && seen.has(hash)) throw endless(page, 'sent the same page again');
      if (seen.add(hash).size > maxPages) throw endless(page, 'sent 10,000 pages');
      await printAnswer(sink, answer, flags.include);
      last = answer;
      if (!flags.paginate || answer.status !== 206) return;
    }
  });
  requireAccepted(request, last as unknown as HttpResponse);
}

async function printAnswer(
  sink: Pick<Sink, 'write'>,
  { status, headers, body }: HttpResponse,
  include = false,
): Promise<void> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (include) await sink.write(`${[`HTTP ${status}`, ...lines].join('\n')}\n\n`);
  if (body !== '') await sink.write(body.endsWith('\n') ? body : `${body}\n`);
}

function requireAccepted(request: Request, { status, headers, body }: HttpResponse): void {
  if (status < (isWrite(request) ? 300 : 400)) return;
  throw refusal({ status, headers, body: isWebPage(body) ? body : '' });
}

/** The same limit as for a list. */
const maxPages = 10_000;

function endless(page: number, what: string): Failure {
  const message = `The service announced more pages but ${what} (page ${page}).`;
  return new Failure(exitCodes.incomplete, message);
}
