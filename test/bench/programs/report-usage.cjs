/**
 * Makes a Node process report its usage on file descriptor 3 when it ends: CPU seconds in user and
 * system mode, and peak memory in MiB. CommonJS, as required by `--require`.
 */
const { readFileSync, writeSync } = require('node:fs');

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMiB: peak() / 1024 };
  writeSync(3, JSON.stringify(usage));
});

/** In KiB. On Linux, `maxRSS` also counts the process that started this one, up to then. */
function peak() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
}
