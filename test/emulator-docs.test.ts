import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import about from '../package.json' with { type: 'json' };
import { CliCommand } from '../src/cli/cli-command.ts';
import { addEmulatorCommand } from '../src/cli/commands/emulator/emulator-program.ts';
import { modes } from '../src/emulator/faults/fault.ts';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'docs/emulator.md'), 'utf8');

test('docs/emulator.md: every command does what the page shows, in order', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-docs-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const program = `sluice() { exec "${process.execPath}" "${join(root, about.bin.sluice)}" "$@"; }`;
  // Whatever goes wrong, no emulator stays behind.
  const script = ['set -e', "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT", program, ...blocks].join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: dir, timeout: 120_000 });
  expect(stdout).toContain('"msg":"The emulator injected this response."');
  expect(stdout).toContain('"faults":["status-before=503@GET:ReservedAddr:1","reset-after@POST:*:2"]');
  expect(stdout).toContain('"agent_version":"3.5.0"');
  expect(stdout.match(/"description":"Sensors"/g)).toHaveLength(4);
});

test('docs/emulator.md names every fault mode and every flag', () => {
  const program = new CliCommand('sluice', () => Promise.resolve());
  addEmulatorCommand(program);
  const flags = program.commands[0]?.options.map(({ long }) => long ?? '') ?? [];
  expect(flags.length).toBeGreaterThan(20);
  const words = new Set([...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(/[ =\\|,]/)));
  expect([...flags, ...Object.keys(modes)].filter((word) => !words.has(word))).toEqual([]);
});
