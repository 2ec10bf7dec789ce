import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runPage } from '../support/run-page.ts';

const update = process.env['UPDATE'] === '1';
const pages = ['docs/tutorial.md', ...readdirSync('docs/how-to').map((name) => `docs/how-to/${name}`)];

describe('a page whose reader does what it says sees what it shows', () => {
  test.each(pages)('%s', async (page) => {
    const markdown = readFileSync(page, 'utf8');
    const done = await runPage(markdown);
    if (update) writeFileSync(page, done);
    else expect(done).toBe(markdown);
    expect(markdown).toContain('$ sluice ');
  });
});
