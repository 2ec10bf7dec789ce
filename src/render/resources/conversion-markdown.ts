import { counted } from '../../diagnostics/counted.ts';
import type { NotConverted } from '../../manifest/terraform/convert-terraform.ts';
import { markdownCode, markdownText } from '../text/markdown-text.ts';

/** What became of a configuration of Terraform, as Markdown. */
export interface Conversion {
  readonly converted: number;
  readonly notConverted: readonly NotConverted[];
  /** Environment variables that the manifests take secrets from. */
  readonly variables: readonly string[];
}

/** The report of a conversion: what was not converted, and which variables to set. */
export function conversionMarkdown({ converted, notConverted, variables }: Conversion): string {
  const rows = notConverted.map(
    ({ resource, field = '', reason }) =>
      `| ${markdownCode(resource)} | ${markdownCode(field)} | ${markdownText(reason)} |`,
  );
  return [
    '# Conversion from Terraform',
    '',
    `Converted ${counted(converted, 'resource')}.`,
    ...(rows.length === 0
      ? []
      : ['', '## Not converted', '', '| Resource | Field | Reason |', '|---|---|---|', ...rows]),
    ...(variables.length === 0
      ? []
      : ['', '## Variables to set before the next plan', '', ...variables.map((name) => `- \`${name}\``)]),
    '',
  ].join('\n');
}
