/** The package has no types of its own. */
declare module 'pgpass' {
  interface PgpassQuery {
    readonly host: string;
    readonly port: number;
    readonly user?: string | undefined;
    readonly database?: string | undefined;
  }
  /** Calls `done` with the password of the first line that matches, or with undefined. */
  function pgpass(query: PgpassQuery, done: (password: string | undefined) => void): void;
  export = pgpass;
}
