/** A server that writes bytes, for answers that no HTTP server would give. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawServer {
  readonly url: string;
  /** The first line of each request. */
  readonly asked: readonly string[];
}

/** `answer` gets the number of the request, from 1; the socket stays open until it ends it. */
export async function serveRaw(
  answer: (socket: Socket, number: number, request: string) => void,
): Promise<RawServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const request = received.slice(0, end);
        received = received.slice(end + 4);
        const line = request.split('\r\n', 1)[0] ?? '';
        if (line.startsWith('HEAD / ')) {
          // cb asks a service of this machine for its time, and goes by its own where there is none.
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
          continue;
        }
        asked.push(line);
        answer(socket, asked.length, request);
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
