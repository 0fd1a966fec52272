/** Every example in the help runs as it is written there. */
import { expect, test } from 'vitest';
import { runScript, shareWorlds } from '../../support/example-world.ts';
import { leaves } from '../../support/tree.ts';
import { examplesIn, helpExamples, reads } from './help-examples.ts';

shareWorlds();

// --keychain stores a key outside the test's home; test/e2e/keys/keychain.test.ts runs it.
const runnable = [...helpExamples].filter((line) => !line.includes('--keychain'));

test.each(runnable)('runs %s', async (line) => {
  const { code, out, err } = await runScript(line);
  expect(code, err).toBe(0);
  if (reads.test(line)) expect(out, line).toMatch(/\S/);
});

test('has an example for every command', () => {
  for (const { path, after } of leaves) {
    expect(
      examplesIn(after).some((line) => line.includes(path)),
      path,
    ).toBe(true);
  }
});
