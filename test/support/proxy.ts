/** A proxy on loopback that opens tunnels and resolves every name to this machine. */
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { cert } from './certificate.ts';
import { listen, serveSecurely } from './server.ts';

/** How it responds: with a status, never, or by closing the connection. */
type ProxyBehavior = number | 'silent' | 'cut';

/** Serves until the test ends. */
export async function startProxy(behavior: ProxyBehavior = 200) {
  /** The requested hosts and ports. */
  const tunnels: { readonly to: string; readonly headers: IncomingHttpHeaders }[] = [];
  /** Requests other than CONNECT, which would reveal the key to the proxy. */
  const plain: string[] = [];
  const server = createServer((request, reply) => {
    plain.push(`${request.method} ${request.url}`);
    reply.writeHead(400).end('only CONNECT');
  });
  server.on('connect', ({ url: to = '', headers }, client: Socket) => {
    tunnels.push({ to, headers });
    if (behavior === 'silent') return;
    if (behavior === 'cut') return void client.destroy();
    if (behavior !== 200) return refuse(client, behavior, headers['proxy-authorization']);
    const service = connect(Number(to.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Open\r\n\r\n');
      service.pipe(client).pipe(service);
    });
    service.on('error', () => refuse(client, 502));
    client.on('close', () => service.destroy());
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, tunnels, plain };
}

/** A service over TLS that only a proxy knows as service.test. */
export async function secureService(answer: RequestListener) {
  const { port } = new URL((await serveSecurely(answer)).url);
  return { port, url: `https://service.test:${port}` };
}

/** The environment of a machine that trusts the certificate of the service; its file is in `folder`. */
export function trusting(folder: string) {
  const file = join(folder, 'company.pem');
  writeFileSync(file, cert);
  return { NODE_EXTRA_CA_CERTS: file };
}

/** Echoes the credentials, as some proxies do. */
function refuse(client: Socket, status: number, sent = ''): void {
  client.end(`HTTP/1.1 ${status} No\r\nContent-Length: ${sent.length}\r\n\r\n${sent}`);
}
