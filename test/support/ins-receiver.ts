/** A receiver on loopback that answers each request with a status. */
import { receiveForwards } from './ins-listener.ts';

export function receiveNotifications(status = 200) {
  return receiveForwards((reply) => reply.writeHead(status, { location: '/elsewhere' }).end());
}
