/** Shifts the clock of a process and its child processes with libfaketime (decision 023). */

/**
 * The environment that sets the time of a program and its child processes to `at` (ISO 8601) in the
 * time zone `zone`. `test/support/same-clock.cjs` passes it to programs with their own environment.
 */
export function clockAt(at: string, zone: string): Record<string, string> {
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1000);
  return {
    TZ: zone,
    // The linker replaces $LIB with the folder of the system.
    LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1',
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    // Timers and timeouts are not shifted.
    DONT_FAKE_MONOTONIC: '1',
    // Node bypasses libfaketime for file times, so everything sees the real ones.
    NO_FAKE_STAT: '1',
  };
}
