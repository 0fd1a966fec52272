/** Reads the next tickets while a person reads this one. Keeps only the tickets around the current one. */

export interface Prefetch<T> {
  /** The value of a key; a read that failed is repeated. */
  get(key: string): Promise<T>;
  /** Starts to read these keys in the background and forgets all others. */
  keep(keys: readonly string[]): void;
  /** Forgets a value, so that it is read again. */
  drop(key: string): void;
}

export function openPrefetch<T>(read: (key: string) => Promise<T>): Prefetch<T> {
  const known = new Map<string, Promise<T>>();
  const get = (key: string): Promise<T> => {
    const before = known.get(key);
    if (before) return before;
    const reading = read(key);
    known.set(key, reading);
    // Whoever needs the value gets the error; a background read must not end the process.
    reading.catch(() => {
      if (known.get(key) === reading) known.delete(key);
    });
    return reading;
  };
  return {
    get,
    keep(keys) {
      for (const key of known.keys()) if (!keys.includes(key)) known.delete(key);
      for (const key of keys) void get(key);
    },
    drop: (key) => void known.delete(key),
  };
}
