/** The public interface of the library for instant notifications. */
export type { NotificationBody } from './envelope.ts';
export type {
  Address,
  Contact,
  Customer,
  EventLineItem,
  EventVersion6,
  EventVersion7,
  EventVersion8,
  NotificationEvent,
  Parameters,
  PaymentPlan,
  Upsell,
} from './event.ts';
export { type EventType, eventTypes } from './event-types.ts';
export { decryptNotification, encryptNotification } from './notification.ts';
export { NotificationError, type NotificationErrorReason } from './notification-error.ts';
