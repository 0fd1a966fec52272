/** Runs the contract in workerd, which has none of Node's modules. The query names the URL of the test. */
import { runChecks } from './checks.ts';
import { openWorld } from './world.ts';

const worker = {
  async fetch(request: Request): Promise<Response> {
    const control = new URL(request.url).searchParams.get('control') ?? '';
    const lines: string[] = [];
    try {
      const world = await openWorld(control, { fetch: globalThis.fetch });
      await runChecks(world, { writes: 'POST', vagueFailures: true }, (line) => lines.push(line));
    } catch (error) {
      lines.push(`failed: ${(error as Error).stack}`);
    }
    return new Response(lines.join('\n'));
  },
};

// biome-ignore lint/style/noDefaultExport: workerd calls the default export
export default worker;
