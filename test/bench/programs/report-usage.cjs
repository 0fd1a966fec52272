/**
 * Makes a Node process say on file descriptor 3, when it ends, what it took: CPU seconds in user and
 * system mode, and the peak of its memory in MiB. CommonJS, so that `--require` takes it.
 */
const { writeSync } = require('node:fs');

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMiB: maxRSS / 1024 };
  writeSync(3, JSON.stringify(usage));
});
