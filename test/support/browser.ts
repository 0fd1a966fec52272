/** Opens files in a real browser without a network, if there is one. */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';

const executablePath = '/usr/bin/chromium';
export const hasBrowser = existsSync(executablePath);

const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

interface Looks {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly reducedMotion?: 'reduce' | 'no-preference';
}

/** Returns a function that opens a page, with its forbidden actions: console output, errors, dialogs and requests. */
export function browser() {
  let launched: Promise<Browser> | undefined;
  afterAll(async () => (await launched)?.close());
  return async (file: string, { width = 1000, ...looks }: Looks = {}) => {
    launched ??= chromium.launch({ executablePath, args });
    const viewport = { width, height: 812 };
    const context = await (await launched).newContext({
      ...{ offline: true, viewport, colorScheme: 'light', ...looks },
    });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('dialog', (dialog) => faults.push(dialog.message()));
    page.on('request', (request) => faults.push(request.url()));
    const url = pathToFileURL(file).href;
    await page.goto(url);
    expect(faults.shift()).toBe(url);
    return { page, faults };
  };
}

/** Checks that the bars of a page are as long as their amounts, to one scale. */
export async function expectToScale(
  page: Page,
  selector: string,
  side: 'width' | 'height',
  amounts: readonly number[],
): Promise<void> {
  const sizes = await page
    .locator(selector)
    .evaluateAll((bars, side) => bars.map((bar) => bar.getBoundingClientRect()[side]), side);
  expect(sizes).toHaveLength(amounts.length);
  const perUnit = (sizes[0] ?? 0) / (amounts[0] ?? 0);
  for (const [i, amount] of amounts.entries()) {
    expect(Math.abs((sizes[i] ?? 0) - amount * perUnit)).toBeLessThan(1.5);
  }
}
