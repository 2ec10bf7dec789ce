import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { directory } from '../cli/terminal.ts';

const script = fileURLToPath(new URL('../../action/outputs.mjs', import.meta.url));

/** A plan as JSON that sends no request. */
function plan(summary: Readonly<Record<string, number>>): object {
  return {
    errored: false,
    summary: { write_file: 0, record: 0, unresolved_creations: 0, unverified_secrets: 0, ...summary },
    resource_changes: [{ change: { actions: ['no-op'] } }],
    digest: 'sha256:0',
    hazards: [],
  };
}

test.each([
  ['nothing', {}, false],
  ['a file is written', { write_file: 1 }, true],
  ['something is recorded in state alone', { record: 1 }, true],
  ['a creation has to be resolved', { unresolved_creations: 1 }, true],
])('the action has changes to apply where a plan without requests has any: %s', async (_what, summary, changes) => {
  const file = join(await directory(), 'plan.json');
  await writeFile(file, JSON.stringify(plan(summary)));
  const { stdout } = await promisify(execFile)(process.execPath, [script, file]);
  expect(stdout.split('\n')).toContain(`changes=${String(changes)}`);
});
