// Applies the manifests if the plan has no hazards: node apply.mjs DIRECTORY
import { isEmptyPlan, openStack, outcomeText, plain } from 'sluice';

const [dir = '.'] = process.argv.slice(2);
const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());

// The lock keeps other runs, such as `sluice apply` and `sluice watch`, from writing at the same time.
const stack = await openStack({ dir, env: process.env, writes: true, lockTimeout: 60, signal: interrupted.signal });
try {
  const plan = await stack.plan();
  if (isEmptyPlan(plan)) {
    console.log('No changes.');
  } else if (plan.hazards.length > 0) {
    for (const { code, address, message } of plan.hazards) console.error(`${code} ${address}: ${message}`);
    process.exitCode = 3;
  } else {
    const outcome = await stack.apply(plan, (event) => {
      if (event.type === 'finished') console.log(`${event.outcome.address}: ${event.outcome.ending}`);
    });
    process.stdout.write(outcomeText(outcome, plain));
    if (outcome.changes.some(({ ending }) => ending !== 'done')) process.exitCode = 1;
  }
} finally {
  await stack.close();
}
