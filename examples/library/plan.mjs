// Prints what apply would do: node plan.mjs DIRECTORY
import { diagnosticsText, InvalidInput, kinds, openStack, plain, planText } from 'sluice';

const [dir = '.'] = process.argv.slice(2);

try {
  const stack = await openStack({
    dir,
    env: process.env,
    onDiagnostics: (diagnostics) => process.stderr.write(diagnosticsText(diagnostics)),
  });
  try {
    const plan = await stack.plan();
    process.stdout.write(planText(plan, { kinds, palette: plain }));
    console.log(`digest ${stack.digest(plan)}`);
  } finally {
    await stack.close();
  }
} catch (error) {
  if (!(error instanceof InvalidInput)) throw error;
  process.stderr.write(diagnosticsText(error.diagnostics));
  process.exitCode = 8;
}
