/** The public interface of the library for instant notifications. */
export type {
  Address,
  AffiliateTrackingParameters,
  CommonTrackingParameters,
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
export {
  type EventMeaning,
  type EventType,
  eventTypeNames,
  eventTypes,
  isEventType,
} from './event-types.ts';
export { decryptNotification, encryptNotification } from './notification.ts';
export type { NotificationBody } from './notification-error.ts';
export { NotificationError, type NotificationErrorReason } from './notification-error.ts';
