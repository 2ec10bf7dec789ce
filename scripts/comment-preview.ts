// Takes pictures of plans as comments, as wide as a pull request shows them: node scripts/run.mjs scripts/comment-preview.ts DIR FILE.md...
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { openBrowser } from '../test/watch/browser.ts';

const style = `
  body { font: 14px/1.5 -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; color: #1f2328; margin: 0; padding: 0; width: 760px }
  h3 { font-size: 1.25em; margin: 16px 0 } table { border-collapse: collapse; margin: 0 0 16px; display: block; width: max-content; max-width: 100%; overflow: auto }
  th, td { border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left } tr:nth-child(2n) { background: #f6f8fa }
  code { font: 85% ui-monospace, "DejaVu Sans Mono", monospace; background: #818b981f; padding: .2em .4em; border-radius: 6px }
  pre { background: #f6f8fa; padding: 16px; border-radius: 6px; overflow: auto } pre code { background: none; padding: 0 }
  a { color: #0969da } details { margin: 0 0 8px } blockquote { border-left: .25em solid #d1d9e0; margin: 0 0 16px; padding: 0 1em }`;

const [folder = 'screenshots', ...files] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 760, height: 400 } });
for (const file of files) {
  const body = micromark(readFileSync(file, 'utf8'), {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  await page.setContent(`<!doctype html><meta charset="utf-8"><style>${style}</style>${body}`);
  await page.screenshot({ path: join(folder, `${basename(file, '.md')}.png`), fullPage: true });
}
await browser.close();
