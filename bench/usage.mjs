// node --import ./bench/usage.mjs SCRIPT: tells the parent, over the IPC channel, what the process has used when it ends, and
// whenever the parent asks; then also how long the event loop was blocked at most since it last asked.
import { monitorEventLoopDelay } from 'node:perf_hooks';

let delay;
const usage = () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: maxRSS / 1024 };
};
process.on('exit', () => process.send?.(usage()));
process.on('message', () => {
  process.send?.({ ...usage(), blockedMs: (delay?.max ?? 0) / 1e6 });
  delay ??= monitorEventLoopDelay({ resolution: 5 });
  delay.reset();
  delay.enable();
});
process.channel?.unref();
