/** Long lists on a terminal: the pager, and the last line of a table. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { hasTerminals, onTerminal } from '../../support/pty.ts';
import { serve } from '../../support/server.ts';

function orders(count: number, from = 0) {
  return Array.from({ length: count }, (_, i) => ({
    receipt: `R${from + i}`,
    transactionTime: '2026-03-18T10:00:00-07:00',
    totalOrderAmount: i % 3 === 0 ? '1000.25' : '10.10',
    currency: i % 3 === 0 ? 'EUR' : 'USD',
    lineItemData: [{ accountAmount: i % 3 === 0 ? '500.00' : '4.01' }],
  }));
}

/** A service with this number of orders on each page. */
async function shop(perPage: number, pages = 1) {
  const { env } = await serve((reply, _, { headers }) => {
    const page = Number(headers.page ?? 1);
    reply.statusCode = page < pages ? 206 : 200;
    reply.end(JSON.stringify({ orderData: orders(perPage, page * 1000) }));
  });
  return env;
}

const list = 'orders list --period today --fields receipt,totalOrderAmount,currency';

describe('The last line of a table on a terminal', () => {
  const lastLine = async (options: string, count = 7) => {
    const env = { ...(await shop(count)), NO_COLOR: '1' };
    const { out } = await home().cb(`${list} ${options}`, { env, columns: 80 });
    return out.slice(out.lastIndexOf('\n\n')).trim().replaceAll('\n', ' ');
  };

  const seven = 'you earn 1,516.04 USD; customers paid 40.40 USD, 3,000.75 EUR';
  const two = 'you earn 504.01 USD; customers paid 1,000.25 EUR, 10.10 USD';
  test.each([
    ['', 7, `7 orders; ${seven}`],
    ['--limit 7', 7, `7 orders; ${seven}`],
    ['--limit 2', 7, `First 2 orders; ${two}`],
    ['--sort receipt --limit 2', 7, `First 2 orders; ${two}`],
    ['', 1, '1 order; you earn 500.00 USD; customers paid 1,000.25 EUR'],
  ])('counts and adds up what %s leaves of %i orders: %s', async (options, count, says) => {
    expect(await lastLine(options, count)).toBe(`${says} (currencies disputed)`);
  });

  test('is not printed to a pipe or in another format', async () => {
    const env = await shop(7);
    expect((await home().cb(`${list} -o table`, { env })).out).not.toContain('7 orders');
    expect((await home().cb(`${list} -o csv`, { env, columns: 80 })).out).not.toContain('7 orders');
  });
});

const inLess = test.skipIf(spawnSync('less', ['--version']).status !== 0);
const paged = { CB_PAGER: 'sed s/^/paged:/' };

/** What a line shows on a terminal until it ends. */
const shown = (line: string, env: Readonly<Record<string, string>>) =>
  onTerminal(line, { env }).until(/code \d/);

describe.skipIf(!hasTerminals)('On a terminal', () => {
  inLess('ends without a message and with exit code 0 if the user quits it early', async () => {
    const run = onTerminal(`cb ${list}`, { env: await shop(100, 200) });
    await run.until(/R1020/);
    run.type('q');
    const all = await run.until(/code \d/);
    expect(all).toContain('code 0');
    expect(all).not.toMatch(/cb:|EPIPE|No rows/);
  });

  inLess('shows a long list in less until the user quits it, also after Ctrl-C', async () => {
    const run = onTerminal(`cb ${list}`, { env: await shop(100) });
    await run.until(/R1020/);
    run.type('\u0003');
    // The terminal drops what is typed right after Ctrl-C.
    const typing = setInterval(() => run.type('G'), 100);
    const last = /100 orders; you earn [\d,.]+ USD; customers paid\s+666\.60 USD,\s+34,008\.50 EUR/;
    await run.until(last).finally(() => clearInterval(typing));
    run.type('q');
    expect(await run.until(/code \d/)).toMatch(/Receipt +Amount +Currency[\s\S]*code 0/);
  });

  inLess('says what to press, and writes no file for what is typed', async () => {
    const run = onTerminal(`cb ${list}`, { env: await shop(100) });
    expect(await run.until(/search/)).toContain('q: quit  space: more  /: search');
    // In less, s saves its input to a file.
    run.type('summary\r');
    await run.until(/not available/);
    run.type('\r');
    run.type('q');
    expect(await run.until(/code \d/)).toContain('code 0');
  });

  test('shows what cb find has found', async () => {
    const line = 'cb sandbox seed --orders 300 --yes; cb --sandbox find ada.sample@example.com';
    expect(await shown(line, paged)).toMatch(/paged:Orders \(/);
  });

  test('shows help that is longer than the screen', async () => {
    const line = 'cb orders list --help && cb --help && cb help dates && cb help --all';
    const all = await shown(line, paged);
    const starts = ['Usage: cb orders list', 'Daily work:', '.*last-7-days', 'Every command of cb'];
    expect(all).toMatch(new RegExp(starts.map((text) => `paged:${text}`).join('[\\s\\S]*')));
    expect(all).toContain('code 0');
  });

  test('shows help without a pager if it fits, and with a faulty configuration', async () => {
    const short = await shown('cb --version; cb config path --help', paged);
    expect(short).toContain('Usage: cb config path');
    expect(short).not.toContain('paged:');
    const broken = 'mkdir -p ~/.config/clickbank-cli; echo { > ~/.config/clickbank-cli/config.json';
    const all = await shown(`${broken}; cb --help --no-pager; cb --help`, paged);
    expect(all).toMatch(/^Usage: cb <command>[\s\S]*paged:Usage: cb <command>[\s\S]*code 0/m);
  });

  test.each([paged, { PAGER: 'sed "s/^/paged:/" | cat' }])(
    'sends the header and the last line to %o, a command line of the shell',
    async (pager) => {
      const all = await shown(`cb ${list} --no-color`, { ...(await shop(60)), ...pager });
      expect(all).toMatch(/paged:Receipt[\s\S]*paged:60 orders[\s\S]*code 0/);
    },
  );

  test('prints everything at once if the pager is empty, does not exist, or is switched off', async () => {
    const env = { ...(await shop(60)), PAGER: 'sed s/^/paged:/' };
    const pagers = ['CB_PAGER=', 'CB_PAGER="no-such-pager -x"', 'CB_PAGER="\'no-such-pager\' -x"'];
    const lines = pagers.map((pager) => `${pager} cb ${list}`);
    const all = await shown([...lines, `cb ${list} --no-pager`].join(' && '), env);
    expect(all.match(/R1059[\s\S]*?60 orders/g)).toHaveLength(4);
    expect(all).toContain('code 0');
    expect(all).not.toMatch(/paged:|not found/);
  });

  test('starts no pager for a list that fits on the screen, or with cb config set pager off', async () => {
    expect(await shown(`cb ${list}`, { ...(await shop(5)), ...paged })).not.toContain('paged:');
    const { CB_API_KEY, CB_BASE_URL } = await shop(60);
    const env = { ...paged, CB_BASE_URL: CB_BASE_URL ?? '' };
    const login = `echo ${CB_API_KEY} | cb login --with-key --profile shop --base-url ${CB_BASE_URL}`;
    const all = await shown(`${login}; cb config set pager off; cb ${list}`, env);
    expect(all).toContain('60 orders');
    expect(all).not.toContain('paged:');
  });
});
