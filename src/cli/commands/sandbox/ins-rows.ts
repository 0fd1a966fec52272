/** The rows of `cb sandbox ins list` and `cb sandbox ins log`. */
import { integer, many, nillable, resource, text, time } from '../../../operations/resource.ts';

export const urlRow = resource('url', ['url', 'version'], { url: text, version: integer });

const attempt = resource('attempt', ['number', 'time', 'status', 'error'], {
  number: integer,
  time,
  status: nillable(integer),
  error: nillable(text),
  fault: nillable(text),
});

/** One event for one URL. */
export const deliveryRow = resource(
  'delivery',
  ['time', 'type', 'receipt', 'state', 'attemptCount', 'status', 'error', 'nextAttempt'],
  {
    id: integer,
    time,
    type: text,
    receipt: text,
    url: text,
    state: text,
    attemptCount: integer,
    status: nillable(integer),
    error: nillable(text),
    nextAttempt: nillable(time),
    body: text,
    sent: nillable(text),
    attempts: many(attempt),
  },
);
