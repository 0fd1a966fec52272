/** The page of `cb ins listen --ui`, in Chromium, and what it refuses over plain HTTP. */
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { encryptNotification } from '../../../src/ins/notification.ts';
import { withField } from '../../../src/ins/samples/edit-event.ts';
import { eventOf } from '../../../src/ins/samples/sample-event.ts';
import { cb, emptyHome } from '../../support/binary.ts';
import { now } from '../../support/cb.ts';
import { insEnv, insSecret, post, receiveForwards } from '../../support/ins-listener.ts';

const browserPath = '/usr/bin/chromium';
const isThere = existsSync(browserPath);

const quiet = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

let browser: Promise<Browser> | undefined;

afterAll(async () => (await browser)?.close());

async function inspect(...args: readonly string[]) {
  const home = emptyHome();
  const running = cb(['ins', 'listen', '--port', '0', '--ui', ...args], { home, env: insEnv });
  const said = await running.until(/Press Ctrl-C/);
  const [, url = ''] = /Inspector: (\S+)/.exec(said) ?? [];
  const [, port = ''] = /Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
  async function send(receipt: string, fields: Readonly<Record<string, string>> = {}) {
    const { transactionType: type = 'SALE', ...others } = fields;
    const event = Object.entries(others).reduce(
      (changed, [path, value]) => withField(changed, path, value),
      eventOf(type as 'SALE', { now, receipt }),
    );
    expect(await post(Number(port), encryptNotification(event, insSecret))).toBe(200);
  }
  return { running, url, port: Number(port), send };
}

interface Looks {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  /** What the browser may write to its console. */
  readonly expected?: string;
}

/** Rejects what the page should never do: scripts that fail, dialogs, and requests to elsewhere. */
async function opened(url: string, { colorScheme = 'light', width = 1440, expected }: Looks = {}) {
  browser ??= chromium.launch({ executablePath: browserPath, args: quiet });
  const viewport = { width, height: 900 };
  const context = await (await browser).newContext({ colorScheme, viewport });
  const page = await context.newPage();
  const surprises: string[] = [];
  page.on('pageerror', ({ message }) => surprises.push(message));
  page.on('dialog', (dialog) => {
    surprises.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    const isExpected = expected !== undefined && message.text().includes(expected);
    if (message.type() === 'error' && !isExpected) surprises.push(message.text());
  });
  page.on('request', (one) => {
    if (new URL(one.url()).origin !== new URL(url).origin) surprises.push(one.url());
  });
  onTestFinished(async () => {
    await context.close();
    expect(surprises).toEqual([]);
  });
  await page.goto(url);
  return page;
}

const lines = (page: Page) => page.locator('#events button');
const receipts = (page: Page) => page.locator('#events .receipt').allTextContents();

test.skipIf(!isThere)(
  'says how to send an event, and shows events as they come (needs chromium)',
  async () => {
    const { url, port, send } = await inspect();
    const page = await opened(url);
    const hint = `cb ins trigger SALE --to http://127.0.0.1:${port}`;
    await page.getByText(hint).waitFor();
    await send('FIRST001', { totalOrderAmount: '1.00', currency: 'USD' });
    await page.getByText('FIRST001').waitFor();
    expect(await page.getByText(hint).isVisible()).toBe(false);
    await send('SECOND02', { transactionType: 'RFND' });
    await page.getByText('SECOND02').waitFor();
    expect(await receipts(page)).toEqual(['SECOND02', 'FIRST001']);
    await lines(page).nth(1).click();
    await page.locator('#json').getByText('"totalOrderAmount": 1.00').waitFor();
    expect(await page.locator('#events .amount').nth(1).textContent()).toBe('1.00 USD');
    expect(await page.content()).not.toContain(insSecret);
  },
);

test.skipIf(!isThere)('filters by words and by type (needs chromium)', async () => {
  const { url, send } = await inspect();
  const name = 'customer.billing.fullName';
  await send('ALPHA001', { [name]: 'Zoë Quinn' });
  await send('BETA0002', { [name]: 'Max Power', transactionType: 'RFND' });
  await send('GAMMA003', { [name]: 'Max Quinn' });
  const page = await opened(url);
  await page.getByText('GAMMA003').waitFor();
  await page.getByRole('searchbox').fill('quinn MAX');
  expect(await receipts(page)).toEqual(['GAMMA003']);
  await page.getByRole('searchbox').fill('');
  await page.getByLabel('Type').selectOption('RFND');
  expect(await receipts(page)).toEqual(['BETA0002']);
  await page.getByRole('searchbox').fill('alpha');
  await page.getByText('No event matches the filter.').waitFor();
});

test.skipIf(!isThere)(
  'resends an event once, however often the button is pressed (needs chromium)',
  async () => {
    let release: () => void = () => undefined;
    const receiver = await receiveForwards((reply, number) => {
      if (number === 2) release = () => reply.end();
      else reply.writeHead(number === 1 ? 200 : 500).end();
    });
    const { url, send } = await inspect('--forward-to', receiver.url);
    await send('AGAIN001');
    const page = await opened(url);
    await page.locator('#events').getByText('delivered').waitFor();
    await lines(page).click();
    const button = page.getByRole('button', { name: 'Resend' });
    await button.dblclick();
    await receiver.until(2);
    expect(await button.isDisabled()).toBe(true);
    const { origin, searchParams } = new URL(url);
    const headers = { Authorization: `Bearer ${searchParams.get('token')}`, Origin: origin };
    const again = await fetch(`${origin}/events/1/resend`, { method: 'POST', headers });
    expect(again.status).toBe(409);
    release();
    await page
      .locator('#sent')
      .getByText(/127\.0\.0\.1:\d+: HTTP 200/)
      .waitFor();
    expect(receiver.receipts()).toEqual(['AGAIN001', 'AGAIN001']);
    await button.click();
    await page
      .locator('#sent')
      .getByText(/HTTP 500/)
      .waitFor();
    await page.locator('#deliveries').getByText('1 attempt, last result: HTTP 500').waitFor();
    expect(receiver.bodies).toHaveLength(3);
  },
);

test.skipIf(!isThere)('offers no resending without a receiver (needs chromium)', async () => {
  const { url, send } = await inspect();
  await send('KEPT0001');
  const page = await opened(url);
  await lines(page).click();
  await page.getByText('start cb ins listen with --forward-to').waitFor();
  expect(await page.getByRole('button', { name: 'Resend' }).isDisabled()).toBe(true);
});

const hostileNames = [
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(2)</script>',
  '"><svg onload=alert(3)>',
  '{{alert(4)}}',
  'javascript:alert(6)',
  'a\u202egnp.exe\u2066\u200b\u0007\u2028',
  `${'W'.repeat(5000)}`,
  `${'\u0301'.repeat(3000)}`,
];

test.skipIf(!isThere)('shows hostile names as text (needs chromium)', async () => {
  const { url, send } = await inspect();
  for (const [index, name] of hostileNames.entries()) {
    await send(`EVIL${index}${name.slice(0, 40)}`, {
      ...{ 'customer.billing.fullName': name, 'customer.billing.email': name },
      ...{ currency: name, 'lineItems.0.productTitle': name },
    });
  }
  for (const width of [375, 1440]) {
    const page = await opened(url, { width });
    await page.getByText('EVIL7').waitFor();
    expect(await page.locator('#events img, #events svg, #events script').count()).toBe(0);
    const names = (await page.locator('#events .customer').allTextContents()).toReversed();
    expect(names.slice(0, 5)).toEqual(hostileNames.slice(0, 5));
    expect(names[5]).toBe(String.raw`a\u202egnp.exe\u2066\u200b\u0007\u2028`);
    for (let index = 0; index < hostileNames.length; index += 1) {
      await lines(page).nth(index).click();
      const title = page.getByRole('heading', { level: 2 });
      await title.getByText(`EVIL${hostileNames.length - 1 - index}`).waitFor();
      expect(await page.locator('#detail :is(img, svg, script, iframe, a)').count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.keyboard.press('Escape');
    }
    expect(await page.evaluate('document.documentElement.innerText')).not.toMatch(
      /[\u202e\u2066\u200b]/,
    );
  }
});

test.skipIf(!isThere)('lets no script write markup (needs chromium)', async () => {
  const { url } = await inspect();
  const page = await opened(url, { expected: 'TrustedHTML' });
  const write = "document.body.innerHTML = '<img src=x onerror=alert(1)>'";
  await expect(page.evaluate(write)).rejects.toThrow(/TrustedHTML/);
});

test.skipIf(!isThere)('says that the listener has stopped (needs chromium)', async () => {
  const { url, running, send } = await inspect();
  await send('LAST0001');
  const page = await opened(url, { expected: 'ERR_CONNECTION_REFUSED' });
  await page.getByText('LAST0001').waitFor();
  running.child.kill('SIGINT');
  expect(await running.ended()).toMatchObject({ code: 130 });
  await page.getByText('The listener has stopped').waitFor();
  expect(await receipts(page)).toEqual(['LAST0001']);
});

test.skipIf(!isThere)('is usable with the keyboard alone (needs chromium)', async () => {
  const { url, send } = await inspect();
  for (const receipt of ['KEY00001', 'KEY00002', 'KEY00003']) await send(receipt);
  const page = await opened(url);
  await page.getByText('KEY00003').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('key');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  // An event that comes meanwhile does not move the focus.
  await send('KEY00004');
  await page.getByText('KEY00004').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'SALE KEY00002' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await page.locator(':focus .receipt').textContent()).toBe('KEY00002');
});

/** The lowest contrast of visible texts, by the formula of WCAG 2. */
const lowestContrast = `(() => {
  const channel = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const rgb = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
  const paper = (one) => {
    const color = rgb(getComputedStyle(one).backgroundColor);
    return color[3] === 0 && one.parentElement ? paper(one.parentElement) : color;
  };
  const texts = [...document.querySelectorAll('body *')].filter(
    (one) => one.checkVisibility() && one.tagName !== 'OPTION' && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()),
  );
  const all = texts.map((one) => {
    const [a, b] = [light(rgb(getComputedStyle(one).color)), light(paper(one))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
  return { texts: all.length, lowest: Math.min(...all) };
})()`;

test.skipIf(!isThere).each([
  [375, 'light'],
  [375, 'dark'],
  [1440, 'light'],
  [1440, 'dark'],
] as const)('fits %i pixels and is readable in the %s (needs chromium)', async (width, scheme) => {
  let status = 500;
  const receiver = await receiveForwards((reply) => reply.writeHead(status).end());
  const { url, send } = await inspect('--forward-to', receiver.url);
  const page = await opened(url, { width, colorScheme: scheme });
  const sound = async (picture: string) => {
    const folder = process.env.CB_TEST_PICTURES;
    const path = `${folder}/${picture}-${width}-${scheme}.png`;
    if (folder !== undefined) await page.screenshot({ path });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const { texts, lowest } = await page.evaluate<{ texts: number; lowest: number }>(
      lowestContrast,
    );
    expect(texts).toBeGreaterThan(3);
    expect(lowest).toBeGreaterThan(4.5);
  };
  await page.getByText('No events yet.').waitFor();
  await sound('empty');
  await send('FAILS001');
  await send('FAILS002', { transactionType: 'RFND' });
  await page.locator('#events').getByText('retrying').nth(1).waitFor();
  await sound('retrying');
  status = 200;
  for (let number = 3; number < 9; number += 1) {
    await send(`RIGHT00${number}`, { transactionType: number % 2 ? 'BILL' : 'CANCEL-REBILL' });
  }
  await page.locator('#events').getByText('delivered').nth(5).waitFor();
  await sound('list');
  await page.getByText('RIGHT008').click();
  await page.locator('#json').getByText('RIGHT008').waitFor();
  await sound('event');
});

interface Raw {
  readonly method?: string;
  readonly path?: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** Sends any Host and Origin, which fetch would not. */
async function raw(port: string, { method = 'GET', path = '/', headers }: Raw) {
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    const options = { host: '127.0.0.1', port, method, path, headers, setHost: false };
    request({ ...options, headers: headers as Record<string, string> }, done)
      .on('error', fail)
      .end();
  });
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

test('refuses foreign hosts, origins and tokens, and sends nothing for them', async () => {
  const receiver = await receiveForwards();
  const { url, send } = await inspect('--forward-to', receiver.url);
  await send('SECRET01');
  await receiver.until(1);
  const { host, port, origin, search, searchParams } = new URL(url);
  const token = searchParams.get('token') ?? '';
  const own = { Host: host, Authorization: `Bearer ${token}` };
  const bad: readonly (readonly [name: string, Raw['headers']])[] = [
    ['no token', { Host: host, Origin: origin }],
    ['a wrong token', { ...own, Origin: origin, Authorization: `Bearer ${token.slice(1)}a` }],
    ['a token as a cookie', { Host: host, Origin: origin, Cookie: `token=${token}` }],
    ['a rebound host name', { ...own, Host: `evil.example:${port}` }],
    [
      'a rebound host name and origin',
      { ...own, Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` },
    ],
    ['another port in Host', { ...own, Host: '127.0.0.1:1' }],
    ['a foreign origin', { ...own, Origin: 'https://evil.example' }],
    ['the origin of another local program', { ...own, Origin: 'http://127.0.0.1:3000' }],
    ['the origin of a sandboxed frame', { ...own, Origin: 'null' }],
    ['a foreign page', { ...own, Origin: origin, 'Sec-Fetch-Site': 'cross-site' }],
    ['another local page', { ...own, Origin: origin, 'Sec-Fetch-Site': 'same-site' }],
  ];
  for (const [name, headers] of bad) {
    for (const path of ['/', '/events?limit=100&seen=', '/events/1']) {
      const { status, body } = await raw(port, { path, headers });
      expect({ name, path, status }).toEqual({ name, path, status: 403 });
      expect(body).not.toContain('SECRET01');
    }
    const resend = { method: 'POST', path: '/events/1/resend', headers };
    expect({ name, ...(await raw(port, resend)) }).toMatchObject({ name, status: 403 });
  }
  const withoutOrigin = { method: 'POST', path: '/events/1/resend', headers: own };
  expect((await raw(port, withoutOrigin)).status).toBe(403);
  const inQuery = {
    ...withoutOrigin,
    path: `/events/1/resend${search}`,
    headers: { Host: host, Origin: origin },
  };
  expect((await raw(port, inQuery)).status).toBe(403);
  const preflight = {
    method: 'OPTIONS',
    path: '/events/1',
    headers: { ...own, Origin: 'https://evil.example' },
  };
  const { status, headers } = await raw(port, preflight);
  expect(status).toBe(403);
  expect(headers).not.toHaveProperty('access-control-allow-origin');
  expect(await raw(port, { path: '/events/1', headers: own })).toMatchObject({ status: 200 });
  expect(receiver.bodies).toHaveLength(1);
});

test('allows no markup, frame or script of others, and stores nothing', async () => {
  const { url } = await inspect();
  const { host, port, search } = new URL(url);
  const { status, headers, body } = await raw(port, {
    path: `/${search}`,
    headers: { Host: host },
  });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(headers).not.toHaveProperty('set-cookie');
  expect(body).not.toMatch(/ on\w+=|https?:\/\/|innerHTML/);
});

test('serves the page on the port of --ui, and names a port that is in use', async () => {
  const { port } = await inspect();
  const taken = await cb(['ins', 'listen', '--port', '0', '--ui', String(port)], {
    env: insEnv,
  }).ended();
  expect(taken).toMatchObject({
    code: 6,
    err: expect.stringContaining(`Port ${port} can't be used`),
  });
  const wrong = await cb(['ins', 'listen', '--ui', 'x'], { env: insEnv }).ended();
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("Invalid --ui 'x'.") });
});
