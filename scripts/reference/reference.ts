import { codePage } from './code-page.ts';
import { commandPage } from './command-page.ts';
import { environmentPage } from './environment-page.ts';
import { kindPages } from './kind-pages.ts';
import { page } from './markdown.ts';
import { metricPage } from './metric-page.ts';
import { schemaPages } from './schema-pages.ts';

/** The pages of docs/reference/ by file name. */
export function referencePages(): ReadonlyMap<string, string> {
  const pages = new Map([
    ...kindPages(),
    ...schemaPages(),
    ['environment.md', environmentPage()],
    ['commands.md', commandPage()],
    ['codes.md', codePage()],
    ['metrics.md', metricPage()],
  ]);
  return new Map([['README.md', index(pages)], ...pages]);
}

function index(pages: ReadonlyMap<string, string>): string {
  const links = [...pages].map(([file, text]) => `- [${/^# (.*)$/m.exec(text)?.[1] ?? file}](${file})`);
  return page(
    'Reference',
    'Every kind, field, limit, default, code, command, flag, setting and metric, written from the sources.',
    links.join('\n'),
    'Elsewhere: [hazards](../plans.md#hazards), [exit codes](../operations.md#exit-codes), [JSON output](../plans.md#json-output-and-policies), and the JSON Schemas in `schemas/`.',
  );
}
