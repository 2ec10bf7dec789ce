import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runScenario } from '../support/run-scenario.ts';
import { readScenario, withBlocks } from '../support/scenario-text.ts';

const update = process.env['UPDATE'] === '1';
const folder = new URL('.', import.meta.url);

describe('the scenario', () => {
  const files = readdirSync(folder).filter((name) => /^\d.*\.md$/.test(name));

  test.each(files.map((file) => [readScenario(read(file)).title, file]))('%s (%s)', async (_title, file) => {
    const markdown = read(file);
    const blocks = await runScenario(markdown, update);
    expect(blocks.size).toBeGreaterThan(0);
    if (update) writeFileSync(new URL(file, folder), withBlocks(markdown, blocks));
  });
});

function read(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}
