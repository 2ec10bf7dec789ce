// node --import ./bench/usage.mjs SCRIPT: tells the parent, over the IPC channel, what the process has used when it ends.
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.send?.({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: maxRSS / 1024 });
});
process.channel?.unref();
