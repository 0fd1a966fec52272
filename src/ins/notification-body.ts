/** A body as received, or as a web framework parsed it. */
export type NotificationBody = string | Uint8Array | { readonly [field: string]: unknown };
