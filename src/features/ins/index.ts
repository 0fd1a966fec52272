/** The public interface of the library for instant notifications. */
export type * from './event.ts';
export * from './event-types.ts';
export * from './notification.ts';
export * from './notification-error.ts';
