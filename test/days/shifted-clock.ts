/** The clock of a process and of every program that it starts, shifted by libfaketime (decision 023). */

/**
 * The environment that makes a program, and whatever it starts, believe that it is `at` (ISO 8601) in the
 * time zone `zone`. `test/support/same-clock.cjs` gives it to programs that get an environment of their own.
 */
export function clockAt(at: string, zone: string): Record<string, string> {
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1000);
  return {
    TZ: zone,
    // The linker puts the folder of the system in place of $LIB.
    LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1',
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    // Timers and time-outs run as ever.
    DONT_FAKE_MONOTONIC: '1',
    // Node reads the times of files past libfaketime; so everything sees the real ones.
    NO_FAKE_STAT: '1',
  };
}
