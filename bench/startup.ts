import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeCorpus } from './corpus.ts';
import { best, type Line } from './line.ts';
import { benchStack, used } from './stack.ts';

const rounds = 15;
const program = resolve('dist/sluice.js');

/** What starting costs beside node itself, in CPU time. */
export async function startup(): Promise<Line[]> {
  const stack = await benchStack();
  const dir = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  try {
    const script = (name: string, text: string): string => {
      const path = join(dir, name);
      writeFileSync(path, text);
      return path;
    };
    const at = (name: string): string => JSON.stringify(import.meta.resolve(name));
    const bare = script('bare.mjs', '');
    const unbundled = script('all.mjs', ['undici', 'zod', 'yaml'].map((name) => `import ${at(name)};`).join('\n'));
    writeFileSync(join(stack.dir, 'empty.yaml'), '');
    const cost = (...args: Parameters<typeof used>): Promise<number> =>
      best(
        rounds,
        async () => (await used(...args)).cpuMs,
        (ms) => ms,
      );
    const node = await cost(bare);
    const imports = (await cost(unbundled)) - node;
    const plan = (await cost(program, ['-C', stack.dir, 'plan', '-f', join(stack.dir, 'empty.yaml')])) - node;
    const { peakMiB } = await used(program, ['-C', stack.dir, 'plan', '-f', join(stack.dir, 'empty.yaml')]);
    writeCorpus(stack.dir, 100);
    await stack.sluice('apply', '--auto-approve');
    const validated = await cost(program, ['-C', stack.dir, 'validate']);
    const planned = await cost(program, ['-C', stack.dir, 'plan', '--detailed-exitcode']);
    const version = await cost(program, ['--version']);
    const help = await cost(program, ['--help']);
    const completion = await cost(program, ['completion', 'bash']);
    const from = `node ${node.toFixed(0)} ms, imports ${imports.toFixed(0)} ms`;
    return [
      { what: '`plan` on nothing over node / unbundled imports over node', figure: plan / imports, most: 0.6, from },
      { what: '`plan` on nothing: peak memory', figure: peakMiB, most: 75, unit: ' MiB' },
      { what: '`validate` of 100: CPU / node', figure: validated / node, most: 3 },
      { what: 'no-op plan of 100: CPU / node', figure: planned / node, most: 5 },
      { what: '`--version` / node', figure: version / node, most: 1.15 },
      { what: '`--help` / node', figure: help / node, most: 1.15 },
      { what: '`completion` / node', figure: completion / node, most: 1.15 },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
    await stack.end();
  }
}
