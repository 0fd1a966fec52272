/** A proxy on loopback that opens tunnels, and knows names that no name server knows. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

interface Tunnel {
  /** Host and port that were asked for. */
  readonly to: string;
  readonly headers: IncomingHttpHeaders;
}

export interface TestProxy {
  readonly url: string;
  readonly port: number;
  readonly tunnels: Tunnel[];
  /** Requests other than CONNECT, which would have shown the proxy the key. */
  readonly plain: string[];
}

/** How it answers: with a status, never, or by hanging up. */
export type Behavior = number | 'silent' | 'cut';

/** Serves until the test ends; every name leads to this machine. */
export async function startProxy(behavior: Behavior = 200): Promise<TestProxy> {
  const tunnels: Tunnel[] = [];
  const plain: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, reply) => {
    plain.push(`${request.method} ${request.url}`);
    reply.writeHead(400).end('only CONNECT');
  });
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  server.on('connect', ({ url: to = '', headers }, client: Socket) => {
    tunnels.push({ to, headers });
    if (behavior === 'cut') client.destroy();
    else if (behavior === 'silent') return;
    else if (behavior === 200) open(to, client);
    else refuse(client, behavior, headers['proxy-authorization']);
  });
  const open = (to: string, client: Socket) => {
    const service = connect(Number(to.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Open\r\n\r\n');
      service.pipe(client).pipe(service);
    });
    sockets.add(service.on('error', () => refuse(client, 502)));
    client.on('close', () => service.destroy());
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, tunnels, plain };
}

/** As some do, it gives back what it was sent. */
function refuse(client: Socket, status: number, sent = ''): void {
  client.end(`HTTP/1.1 ${status} No\r\nContent-Length: ${sent.length}\r\n\r\n${sent}`);
}
