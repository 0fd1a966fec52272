/**
 * Makes a Node process report its usage on file descriptor 3 when it ends: CPU seconds in user and
 * system mode, and peak memory in MiB. CommonJS, as required by `--require`.
 */
const { writeSync } = require('node:fs');

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMiB: maxRSS / 1024 };
  writeSync(3, JSON.stringify(usage));
});
