/** `cb ins listen`: receives notifications. */
import { type Command, Option } from 'commander';
import { helpGroups } from '../../flags/flags.ts';
import { addShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import type { ListenFlags } from '../../ins/journal/listen.ts';
import { addAction, addCommand, newCommand } from '../../runtime/command.ts';
import type { Call, CommonFlags } from '../../runtime/command-context.ts';

const listenText: HelpText = {
  notes: [
    'Receives from the sandbox, or from ClickBank through a tunnel of yours. Each event is decrypted and journaled before ClickBank is answered; then it is delivered, again and again until your receiver answers with 2xx or the command ends with 0.',
  ],
  examples: [
    'cb ins listen',
    'cb ins listen --forward-to http://localhost:3000/ins --ui',
    'cb ins listen --port 8080 -o ndjson',
  ],
  remarks: [
    'Attempts: after 1s, 5s, 30s, 2m, 10m, 30m, and then every hour for three days. A killed listener continues where it stopped when you start it again. Your receiver can get an event twice, so it has to recognize receipt and type.',
    'The journal contains the data of your customers. Only you can read the file.',
  ],
  effect: 'writes',
  topics: ['output', 'environment', 'exit-codes'],
};

export const destinationOptions: readonly (readonly [flags: string, summary: string])[] = [
  ['--forward-to <url>', 'Send events to a receiver, such as http://localhost:3000/ins'],
  ['--forward <form>', 'Form of events: plain JSON (default) or as-received'],
  ['--exec <command>', 'Run a command for each event (JSON on its stdin)'],
  ['-y, --yes', 'Send to another machine without asking'],
];

const listenOptions: typeof destinationOptions = [
  ['--port <n>', 'Port on 127.0.0.1; 0 is any free one (default: 4242)'],
  ...destinationOptions,
  ['--duplicates', 'Also deliver exact duplicates, which are only counted otherwise'],
  ['--ui [port]', 'Show the events on a page in your browser'],
];

export function addListen(group: Command, call: Call): void {
  const command = newCommand(call.context, 'listen').description(
    'Receive, journal and forward notifications',
  );
  addCommand(group, command, call, () => {
    addOptions(command, listenOptions);
    addShowFlags(command, { rows: true, endless: true });
    addHelp(command, () => listenText);
    addAction<CommonFlags & ShowFlags & ListenFlags>(command, call, async (cmd, flags) => {
      const { listen } = await import('../../ins/journal/listen.ts');
      await listen(cmd, flags);
    });
  });
}

export function addOptions(command: Command, options: typeof destinationOptions): void {
  for (const [flags, summary] of options) {
    command.addOption(new Option(flags, summary).helpGroup(helpGroups.options));
  }
}
