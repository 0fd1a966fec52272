/** A key is only in its service and its file, which the whole test suite checks. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cb, emptyHome, shell } from '../../support/binary.ts';
import { canary, watchKeys } from '../../support/canary.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { setup } from '../../support/run-folder.ts';
import { serve } from '../../support/server.ts';

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cb-canary-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('detects a key that cb writes to stdout or stderr', async () => {
  const line = 'api POST /1.3/x --dry-run -f a=API-PLANTED99';
  const env = { CB_API_KEY: 'API-PLANTED99' };
  await expect(home().cb(line, { env })).rejects.toThrow('API-PLANTED99 is in what');
  await expect(shell(`echo ${canary} >&2`).ended()).rejects.toThrow('is in what');
});

test('detects a key in any file except that of the profiles', () => {
  const folder = scratch();
  const profile = { key: 'API-PLANTED98' };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ profiles: { profile } }));
  const keys = watchKeys();
  keys.refuseBelow(folder);
  writeFileSync(join(folder, 'orders.csv.journal'), 'x API-PLANTED98 x');
  expect(() => keys.refuseBelow(folder)).toThrow(/API-PLANTED98 is in .*journal/);
});

test('fails the test run if a canary is left in its folder', async () => {
  const before = process.env.CB_TEST_RUN;
  const end = await setup();
  const folder = process.env.CB_TEST_RUN ?? '';
  process.env.CB_TEST_RUN = before;
  writeFileSync(join(folder, 'left.log'), canary);
  expect(end).toThrow('left.log');
});

test('writes no key to journals, results, or completion data', async () => {
  const made = await sandboxHome(60);
  const { url } = await serve((reply, _, { headers }) =>
    reply.writeHead(500).end(headers.authorization),
  );
  writeFileSync(
    join(made.folder, 'in.csv'),
    'receipt,date,carrier,tracking\nPARCEL01,2026-03-18,USPS,T1\n',
  );
  const env = { CB_API_KEY: canary, CB_BASE_URL: url };
  const ran = await made.cb('ship notice import in.csv --yes --max-wait 0 --debug', {
    env,
    columns: 100,
  });
  expect(ran.code).not.toBe(0);
  expect(readdirSync(made.folder).length).toBeGreaterThan(1);
  watchKeys().refuseBelow(made.folder);
});

/** An uncaught error that contains the whole request, thrown or rejected. */
const faults = {
  thrown: 'setImmediate(() => { throw fault; })',
  rejected: 'Promise.reject(fault)',
};

function hookFor(fault: string): string {
  return `
const http = require('node:http');
http.request = (...args) => {
  const fault = new TypeError('sent ${canary.slice(0, 5)}' + process.env.CB_API_KEY.slice(5));
  fault.request = { args, key: process.env.CB_API_KEY };
  ${fault};
  return new (require('node:stream').Writable)();
};
require('node:module').syncBuiltinESMExports();
`;
}

test.each([
  ['thrown', []],
  ['thrown', ['-o', 'json']],
  ['rejected', ['--debug']],
] as const)(
  'ends an uncaught error, %s, with exit code 1 without a key (%j)',
  async (kind, flags) => {
    const at = emptyHome();
    const hook = join(at, 'fault.cjs');
    writeFileSync(hook, hookFor(faults[kind]));
    const { url } = await serve((reply) => reply.end('null'));
    const options = `${process.env.NODE_OPTIONS ?? ''} --require ${hook} --report-uncaught-exception`;
    const { code, out, err } = await cb(['orders', 'list', '--period', 'today', ...flags], {
      home: at,
      env: { CB_API_KEY: canary, CB_BASE_URL: url, NODE_OPTIONS: options },
    }).ended();
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toContain('stopped because of an internal error (TypeError)');
    expect(err).not.toContain('sent');
    const isDebug = flags.some((flag) => flag === '--debug');
    expect(/^ +at .*fault\.cjs:\d+/m.test(err)).toBe(isDebug);
    if (flags.some((flag) => flag === 'json')) expect(JSON.parse(err)).toMatchObject({ code: 1 });
    // Node would write a report with the whole environment.
    expect(readdirSync(at).filter((name) => name.startsWith('report'))).toEqual([]);
  },
);
