/** Measures the server: reads every page of a list and discards it. Arguments: URL, pages. */
import { Agent, get } from 'node:http';

const connections = 8;

const agent = new Agent({ keepAlive: true, maxSockets: connections });

function take(url: string, page: number): Promise<void> {
  return new Promise((done, fail) => {
    get(url, { agent, headers: { accept: 'application/json', page: String(page) } }, (reply) =>
      reply.on('end', done).on('error', fail).resume(),
    ).on('error', fail);
  });
}

async function main(url: string, pages: number): Promise<void> {
  let next = 1;
  const worker = async () => {
    while (next <= pages) await take(url, next++);
  };
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
}

void main(process.argv[2] ?? '', Number(process.argv[3]));
