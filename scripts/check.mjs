// Runs every script of package.json named check:*, as many at a time as there are processors, and fails if one of them does.
// All but check:types: check:lint reports what it does.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

// Of the processor time of tsc on Node 20, a quarter.
const env = {
  ...process.env,
  NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --require=${JSON.stringify(resolve('scripts/tuned-compiler.cjs'))}`,
};
const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
// In the order of the file: the longest stand first there.
const waiting = Object.keys(scripts).filter((name) => name.startsWith('check:') && name !== 'check:types');

await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));

async function runWaiting() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const { code, output } = await ended(name);
    if (code !== 0) process.exitCode = 1;
    process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'}: npm run ${name}\n${output}`);
  }
}

/** What a script prints is kept until it ends, so that two that run at once do not mix. */
function ended(name) {
  const child = spawn('npm', ['run', '--silent', name], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
