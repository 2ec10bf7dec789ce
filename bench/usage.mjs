// node --import ./bench/usage.mjs SCRIPT: tells the parent, over the IPC channel, what the process has used when it ends, and
// whenever the parent asks; then also the longest step of its event loop since the parent asked for steps. Watching them costs
// a tenth of the CPU of a plan, so they are watched only from one `steps` to the next message.
import { watchSteps } from './loop-steps.mjs';

let steps;
const usage = () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: maxRSS / 1024 };
};
process.on('exit', () => process.send?.(usage()));
process.on('message', (message) => {
  process.send?.({ ...usage(), longestStepMs: steps?.end() ?? 0 });
  steps = message === 'steps' ? watchSteps() : undefined;
});
process.channel?.unref();
