export type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Leaves out options that are undefined, which then have their defaults. */
export function definedIn<T extends object>(options: T): Defined<T> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Defined<T>;
}
