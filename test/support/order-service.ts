/** A service with many orders, for tests of memory: their number grows with the requested period. */
import { openService } from '../bench/service.ts';
import { serve } from './server.ts';

export async function orderService() {
  const service = await openService();
  const { env } = await serve((reply, _, { url, headers }) => {
    const { status, type, body } = service(url, headers);
    reply.writeHead(status, { 'content-type': type }).end(body);
  });
  return env;
}
