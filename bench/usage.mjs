// node --import ./bench/usage.mjs SCRIPT: tells the parent, over the IPC channel, what the process has used when it ends, and
// whenever the parent asks; then also the longest step of its event loop since it last asked.
import { watchSteps } from './loop-steps.mjs';

let steps;
const usage = () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: maxRSS / 1024 };
};
process.on('exit', () => process.send?.(usage()));
process.on('message', () => {
  process.send?.({ ...usage(), longestStepMs: steps?.takeLongest() ?? 0 });
  steps ??= watchSteps();
});
process.channel?.unref();
