/** A question that one key answers, without Enter. The keys that can be pressed are shown below it. */
import { createPrompt, useKeypress, useState } from '@inquirer/core';
import { displayWidth } from '../../output/table/display-width.ts';
import { plain } from '../../output/table/terminal-text.ts';

/** A key that answers a question: a character, `enter` or `escape`. */
export interface KeyChoice {
  readonly key: string;
  /** What it does, shown beside the key; a key without a name works but is not shown. */
  readonly name?: string;
  /** Shown after the question once it is pressed; default: the name, or the key. */
  readonly short?: string;
}

interface KeyQuestion {
  readonly message: string;
  readonly choices: readonly KeyChoice[];
  readonly width: number;
  readonly color: (key: string) => string;
}

interface Pressed {
  readonly name?: string;
  readonly sequence?: string;
  readonly ctrl: boolean;
  readonly meta?: boolean;
}

/** Other keys, and keys together with Ctrl or Alt, do nothing. */
export const askKey = createPrompt<string, KeyQuestion>((question, done) => {
  const [pressed, setPressed] = useState<KeyChoice | undefined>(undefined);
  useKeypress((event, rl) => {
    rl.clearLine(0);
    const key = keyOf(event as Pressed);
    const choice = question.choices.find((one) => one.key === key);
    if (!choice || pressed) return;
    setPressed(choice);
    done(choice.key);
  });
  const message = question.message.split('\n').map(plain).join('\n');
  if (pressed) return `${message} ${plain(pressed.short ?? pressed.name ?? pressed.key)}`;
  return [message, barOf(question)].filter(Boolean).join('\n');
});

function keyOf({ name, sequence, ctrl, meta }: Pressed): string | undefined {
  if (name === 'escape') return 'escape';
  if (ctrl || meta) return undefined;
  if (name === 'return' || name === 'enter') return 'enter';
  return name?.length === 1 || name === 'space' ? name : sequence;
}

/** The named keys, in as many lines as the width of the terminal requires. */
function barOf({ choices, width, color }: KeyQuestion): string {
  const lines: { text: string; columns: number }[] = [];
  for (const { key, name } of choices) {
    if (name === undefined) continue;
    const word = `${keyNames[key] ?? key} ${plain(name)}`;
    const columns = displayWidth(word);
    const text = `${color(keyNames[key] ?? key)} ${plain(name)}`;
    const line = lines.at(-1);
    if (!line || line.columns + 2 + columns >= width) lines.push({ text, columns });
    else {
      line.text += `  ${text}`;
      line.columns += 2 + columns;
    }
  }
  return lines.map(({ text }) => text).join('\n');
}

const keyNames: Readonly<Record<string, string>> = { escape: 'Esc', enter: 'Enter' };
