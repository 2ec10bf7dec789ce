// node bench/plan-again.mjs DIR: plans an unchanged stack again and again in one process, and prints the CPU time of a later plan in
// milliseconds.
import { openStack } from '../dist/index.js';

// Node compiles what it needs during the first ones.
const [first, later] = [15, 30];

const usedMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const stack = await openStack({ dir: process.argv[2], env: process.env });
let begun = 0;
for (let n = 0; n < first + later; n++) {
  if (n === first) begun = usedMs();
  const { steps } = await stack.plan();
  if (steps.length > 0) throw new Error('the stack has changes pending');
}
console.log((usedMs() - begun) / later);
await stack.close();
