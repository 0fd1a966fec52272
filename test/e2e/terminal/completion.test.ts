/** Completion at the cursor, tested with Tab in real shells, and where `cb completion install` puts the script. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import { expect, test, vi } from 'vitest';
import { ownPlaces } from '../../../src/shell/completion/candidates.ts';
import { shellNames, shells } from '../../../src/shell/completion/shells.ts';
import { home } from '../../support/cb.ts';
import { runAndListFiles } from '../../support/loaded-files.ts';
import { expectExit } from '../../support/refusal.ts';
import { serve } from '../../support/server.ts';
import { isInstalled, pressTab, type TestedShell } from '../../support/shells.ts';
import { allCommands } from '../../support/tree.ts';

/** A typed line, and patterns of the candidates that are offered. */
type Offer = readonly [line: string, ...offered: readonly RegExp[]];

const offers: readonly Offer[] = [
  ['cb orders change-', /^change-address\b/m, /^change-product\b.*another product/m],
  ['cb ship notice i', /^import\b/m],
  ['cb orders list --t', /^--type\b.*Transaction type/m, /^--tz\b/m],
  ['cb orders get --sandb', /--sandbox/],
  ['cb orders list --status x --type CG', /CGBK/],
  ['cb tickets create X --refund-type ', /^PARTIAL_PERCENT\b.*1 to 80/m, /^FULL\b/m],
  ['cb tickets create X --reason ticket.type.refund.', /^\S+\.refund\.1\b.*never received/m],
  ['cb tickets create X --type refund --reason ', /^(ticket\.type\.refund\.\S+\s.*\n)+$/],
  ['cb tickets create X --type=CNCL --reason ', /^(ticket\.type\.cancel\.\S+\s.*\n)+$/],
  ['cb tickets list --status ', /^reopened\b.*opened again/m],
  ['cb orders list -o ', /^ndjson\b.*per line/m, /^xml\b/m],
  ['cb analytics dimension ', /\bTRACKING_ID\b/],
  ['cb analytics dimension TRACKING_ID --role ', /^VENDOR\b.*you sell/m],
  ['cb orders list --fields ', /^receipt\b/m, /^paymentMethod\b/m, /^lineItemData\.itemNo\b/m],
  ['cb orders list --sort totalOrderAm', /totalOrderAmount/],
  ['cb orders list --expand li', /lineItemData/],
  ['cb quickstats list --fields ', /(^|\s)quickStatDate\b/m, /(^|\s)sale\b/m],
  ['cb tickets list --fields ticket', /ticketid/],
  ['cb orders list --period last-7', /last-7-days/],
  ['cb config set pag', /pager/],
  ['cb metrics mrr', /^mrr-by-month\b.*churn/m],
  ['cb sync --tables orders,ti', /^orders,tickets$/m],
  ['cb mcp install cl', /^claude-code$/m],
  ['cb help exit', /exit-codes/],
  ['cb help orders up', /upsells/],
  ['cb --profile sandbox:r', /read-only/],
];

test.each(offers.map(([line, ...offered]) => [line, offered] as const))(
  'offers matching words with their descriptions after %s',
  async (line, offered) => {
    const words = `${line.slice('cb '.length)}${line.endsWith(' ') ? "''" : ''}`;
    const { out } = await home().cb(`__complete -- ${words}`);
    for (const pattern of offered) expect(out).toMatch(pattern);
  },
);

/** Offers that each shell displays differently. */
const offersOfShells: readonly Offer[] = [
  ['cb or', /\borders\b/],
  ['cb ', /^tickets\b.*refunds/m, /^sandbox\b/m],
  ['cb orders list --type ', /^RFND\b.*refund/m, /(^|\s)TEST_SALE\b/m],
  ['cb orders list --type=RF', /RFND/],
  ['cb analytics dimension TRACKING_ID --select SALE_COUNT,SALE_AM', /SALE_COUNT,SALE_AMOUNT/],
  ['cb orders list --fields receipt,tot', /receipt,totalOrderAmount/],
  ['cb orders list --out fi', /file\.csv/],
  ['cb --profile ', /^shop\b/m, /^sandbox\b/m],
  ['cb --profile shop,sandbox:', /read-only/],
];

/** A home with a profile and a file. */
async function usedHome(): Promise<string> {
  const { cb, folder } = home();
  await cb('login --with-key --no-check --profile shop', { stdin: 'API-ONE' });
  writeFileSync(join(folder, 'file.csv'), '');
  return folder;
}

/** Command lines, and patterns that must not be offered. */
const unfit: readonly (readonly [line: string, strange: RegExp])[] = [
  ['cb orders list --type ', /vendor|file\.csv/],
  ['cb orders get --sandbox ', /file\.csv|list/],
  ['cb ', /__complete/],
  ['cb sandbox exec -- --no', /--no-color/],
];

const tested: readonly TestedShell[] = ['bash', 'zsh', 'fish'];

for (const shell of tested) {
  test.skipIf(!isInstalled(shell))(
    `shows matching words with their descriptions in ${shell}`,
    async () => {
      const lines = [...new Set([...offersOfShells, ...unfit].map(([line]) => line))];
      const shown = pressTab(shell, await usedHome(), lines);
      expect(shown).toHaveLength(lines.length);
      const after = (line: string) =>
        expect(shown[lines.indexOf(line)] ?? '', `Tab after '${line}'`);
      for (const [line, ...offered] of offersOfShells) {
        for (const pattern of offered) after(line).toMatch(pattern);
      }
      for (const [line, strange] of unfit) after(line).not.toMatch(strange);
    },
  );
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('loads neither the client nor the commands when Tab is pressed', async () => {
  const { outputs } = JSON.parse(readFileSync(`${root}dist/meta.json`, 'utf8')) as Metafile;
  const inputs = new Map(
    Object.entries(outputs).map(([name, { inputs }]) => [name, Object.keys(inputs)]),
  );
  const args = ['__complete', '--', 'orders', 'get', '--sandbox', ''];
  const env = { HOME: home().folder };
  const { status, files } = await runAndListFiles(`${root}bin/cb.js`, args, env);
  const loaded = files.flatMap((file) => inputs.get(basename(file)) ?? []);
  expect(status).toBe(0);
  expect(loaded).toContain('src/shell/completion/complete.ts');
  const heavy =
    /undici|node_modules\/(conf|commander)\/|src\/(client\/(?!http\/origin)|operations\/|sandbox\/)|src\/cli\/commands\//;
  expect(loaded.filter((source) => heavy.test(source))).toEqual([]);
});

const installable = shellNames.map((name) => `${name}\t${shells[name].title}`);

/** Words as a script passes them, the last one at the cursor, and all lines that cb prints. */
test.each<[line: string, printed: unknown]>([
  ['orders list --wire=', ['--wire=json\tdefault', '--wire=xml']],
  ['orders list --out=fi', [':files']],
  ["analytics dimension SKU --select ''", expect.arrayContaining(['SALE_COUNT', ':list'])],
  ["log --origin ''", ['command', 'import', 'queue', 'agent', 'program']],
  ['ins listen --forward=', ['--forward=plain\tdecrypted (default)', '--forward=as-received']],
  ["orders list --query ''", []],
  ["orders schema ''", []],
  ['orders list --no-such-flag=', []],
  ["no-such-command ''", []],
  // bash and PowerShell pass quotes as they were typed.
  ["completion install ''", [...installable]],
  ['completion install ""', [...installable]],
  ['"completion" "install" "ba', [...installable]],
])('prints the words for cb __complete -- %s', async (line, printed) => {
  const { code, out, err } = await home().cb(`__complete -- ${line}`);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out.split('\n').filter((one) => one !== '')).toEqual(printed);
});

test('prints nothing for a script of cb 0.1, and for a profile that does not exist', async () => {
  const { cb } = home();
  for (const line of ['profiles -- --profile', "-- --profile gone orders get ''", '']) {
    expect(await cb(`__complete ${line}`)).toEqual({ code: 0, out: '', err: '' });
  }
});

test('sends no request when Tab is pressed', async () => {
  const time = vi.fn();
  const { env, asked } = await serve((reply) => reply.end('{}'), { time });
  for (const line of ["orders get ''", "--profile ''", "orders list --vendor ''", 'ord']) {
    expect(await home().cb(`__complete -- ${line}`, { env })).toMatchObject({ code: 0, err: '' });
  }
  expect(asked).toEqual([]);
  expect(time).not.toHaveBeenCalled();
});

test('has its own values only for options and arguments that exist', () => {
  const known = allCommands.flatMap(({ path, flags, places }) => [
    ...flags.flatMap(({ names }) => names.flatMap((name) => [name, `${path} ${name}`])),
    ...places.map(({ name }) => `${path} <${name}>`),
  ]);
  expect(Object.keys(ownPlaces).filter((place) => !known.includes(place))).toEqual([]);
});

test.each([
  ['bash', '.local/share/bash-completion/completions/cb', '/bin/bash'],
  ['zsh', '.zfunc/_cb', '/usr/bin/zsh'],
  ['fish', '.config/fish/completions/cb.fish', '/opt/bin/fish'],
])(
  'replaces an older script of %s, and changes nothing the second time',
  async (shell, file, path) => {
    const { cb, folder } = home();
    const env = { SHELL: path };
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), 'complete -c cb -a old');
    const first = await cb('completion install', { env });
    expect(first).toMatchObject({ code: 0, out: '' });
    expect(first.err).toContain(`Wrote ${join(folder, file)}.`);
    const written = readFileSync(join(folder, file), 'utf8');
    expect(written).toBe((await cb(`completion ${shell}`)).out);
    const second = await cb(`completion install ${shell}`);
    expect(second.err).toContain('is up to date');
    expect(readFileSync(join(folder, file), 'utf8')).toBe(written);
  },
);

test('names the lines that .zshrc lacks for zsh, until they are there', async () => {
  const { cb, folder } = home();
  expect((await cb('completion install zsh')).err).toContain('fpath=(~/.zfunc $fpath)');
  writeFileSync(join(folder, '.zshrc'), 'fpath=(~/.zfunc $fpath)\n');
  expect((await cb('completion install zsh')).err).not.toContain('fpath=');
});

test('prints the line for the PowerShell profile, and adds it once with --yes', async () => {
  const { cb, folder } = home();
  const file = join(folder, '.config/powershell/Microsoft.PowerShell_profile.ps1');
  const shown = await cb('completion install powershell');
  expect(shown.out).toBe('cb completion powershell | Out-String | Invoke-Expression\n');
  expect(existsSync(file)).toBe(false);
  mkdirSync(join(file, '..'), { recursive: true });
  // PowerShell 5 reads and writes files that are not UTF-8.
  writeFileSync(file, 'Set-Alias caf\u00e9 ls', 'latin1');
  await cb('completion install powershell --yes');
  await cb('completion install pwsh --yes');
  expect(readFileSync(file, 'latin1')).toBe(`Set-Alias caf\u00e9 ls\n${shown.out}`);
});

test('names a file that cannot be written, with exit code 2', async () => {
  const { cb, folder } = home();
  writeFileSync(join(folder, '.zfunc'), '');
  const ran = await cb('completion install zsh');
  expectExit(ran, 2, /_cb can't be written \(\w+\)\..*print the script/);
});
