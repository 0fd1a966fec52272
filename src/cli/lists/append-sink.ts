/** Writes the rows of `--append FILE`. */
import type { Layout, RenderOptions } from '../../output/render-options.ts';
import type { Row } from '../../output/rows/rows.ts';
import { digestOf } from '../../storage/fingerprint.ts';
import { openAppendFile } from '../../workflows/incremental-export/append-file.ts';
import type { Schedule } from '../../workflows/incremental-export/schedule.ts';
import type { Sink } from '../display/sink.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import { usage } from '../runtime/failure.ts';

export interface AppendSink extends Sink {
  readonly path: string;
  readonly note: string | undefined;
  /** The output options, with the layout that the file has. */
  readonly output: OutputOptions;
  /** Writes a header to a new file only, and always the same columns. */
  readonly rendering: Partial<RenderOptions>;
}

export async function openAppendSink(
  path: string,
  asked: OutputOptions,
  schedule: Schedule,
): Promise<AppendSink> {
  const { file: state, spoolPath, commit, keep } = schedule;
  const output = withLayoutOf(state?.output, asked);
  const written = outputOf(output);
  if (state && state.output !== written) {
    throw usage(`The rows in ${path} were written with other output options.`, {
      hint: 'Use the same options as before, or another name and another file.',
    });
  }
  const file = await openAppendFile({ path, spoolPath, state, commit, keep });
  let layout: Layout | undefined = state?.columns
    ? { columns: state.columns, skeleton: state.skeleton as Row }
    : undefined;
  const { header, csv } = output;
  return {
    path,
    output,
    shown: false,
    note: file.note,
    rendering: {
      header: file.isEmpty ? (header ?? true) : false,
      csv: { ...csv, bom: file.isEmpty && (csv.bom ?? false) },
      ...(layout && { keptLayout: layout }),
      onLayout: (found) => {
        layout = found;
      },
    },
    write: async (text) => file.write(typeof text === 'string' ? Buffer.from(text) : text),
    commit: () =>
      file.commit({
        output: written,
        columns: layout?.columns ?? null,
        skeleton: layout?.skeleton ?? null,
      }),
    discard: once(() => file.close()),
  };
}

/** A file that an earlier version began, without layouts, keeps its columns unless a layout is typed. */
function withLayoutOf(written: string | undefined, output: OutputOptions): OutputOptions {
  const raw = { ...output, layout: undefined };
  return !output.isLayoutTyped && written === outputOf(raw) ? raw : output;
}

/** The options that must stay the same for all rows of a file. */
function outputOf(output: OutputOptions): string {
  const { format, fields, expand, spread, csv, layout, dates } = output;
  const { bom, ...lines } = csv;
  // Without these, the digest is that of earlier versions.
  const more = layout !== undefined || dates !== undefined ? [layout, dates] : [];
  return digestOf(JSON.stringify([format, fields, expand, spread, lines, ...more]));
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= close();
    return closed;
  };
}
