/** Which `cb` the commands find that cb starts. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { emptyHome, program } from './binary.ts';
import { insEnv, post, saleBody, startedPort } from './ins-listener.ts';
import { serve } from './server.ts';

export const ownInEach = { watch: 'own', listen: 'own', direct: 'own', script: 'own' };

/** Returns which `cb` each kind of command finds that the program at `path` starts, when PATH has another `cb`. */
export async function cbOfCommands(path: string): Promise<Record<keyof typeof ownInEach, string>> {
  const home = emptyHome();
  const others = join(home, 'others');
  mkdirSync(others);
  writeFileSync(join(others, 'cb'), '#!/bin/sh\necho other\n', { mode: 0o755 });
  const shop = await serve((reply) => reply.end('{"orderData":[{"receipt":"FIRST001"}]}'));
  const env = { ...shop.env, ...insEnv, PATH: `${others}:${process.env.PATH}` };
  const start = (...args: string[]) => program(path, args, { home, env });

  const line = 'cb --version > done; mv done';
  await start('orders', 'watch', '--today', '--limit', '1', '--exec', `${line} watch`).ended();
  const listener = start('ins', 'listen', '--port', '0', '--exec', `${line} listen`);
  await post(await startedPort(listener.until), saleBody('FIRST001'));
  while (!existsSync(join(home, 'listen'))) await sleep(20);
  listener.child.kill('SIGINT');
  await listener.ended();
  const direct = await start('sandbox', 'exec', '--', 'cb', '--version').ended();
  const script = await start('sandbox', 'exec', '--', 'sh', '-c', 'cb --version').ended();
  const read = (name: string) => readFileSync(join(home, name), 'utf8');
  const found = (text: string) => (/^\d+\.\d+\.\d+\n$/.test(text) ? 'own' : text.trim());
  return {
    ...{ watch: found(read('watch')), listen: found(read('listen')) },
    ...{ direct: found(direct.out), script: found(script.out) },
  };
}
