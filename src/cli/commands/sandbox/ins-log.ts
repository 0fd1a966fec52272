/** `cb sandbox ins log`: what happened to each notification. */
import { showPages } from '../../display/show.ts';
import type { Pages } from '../../display/shown-pages.ts';
import { readShowFlags } from '../../flags/show-flags.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { type Sandbox, withSandbox } from '../../session/sandbox-session.ts';
import { deliveryRow } from './ins-rows.ts';
import type { SandboxFlags } from './sandbox-command.ts';

export async function showLog(cmd: CommandContext, flags: SandboxFlags): Promise<void> {
  const output = readShowFlags(cmd, flags);
  await withSandbox(cmd, (sandbox) =>
    showPages(cmd, output, { resource: deliveryRow }, pagesOf(sandbox)),
  );
}

async function* pagesOf({ notifications }: Sandbox): Pages {
  let number = 0;
  for (const rows of notifications.log()) {
    number += 1;
    yield { number, more: true, rows, totals: [] };
  }
}
