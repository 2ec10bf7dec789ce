import { codes } from '../../diagnostics/codes.ts';
import type { Diagnostic, SourceLocation } from '../../diagnostics/diagnostic.ts';
import { safeText } from '../../diagnostics/safe-text.ts';

/** Diagnostics as a SARIF 2.1.0 log, which code scanners and editors read. */
export function sarifLog(
  diagnostics: readonly Diagnostic[],
  version: string,
  fileIn: (file: string) => string,
): Readonly<Record<string, unknown>> {
  const rules = [...new Set(diagnostics.map(({ code }) => code))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'sluice',
            version,
            rules: rules.map((id) => ({ id, shortDescription: { text: codes[id] } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((diagnostic) => resultOf(diagnostic, rules.indexOf(diagnostic.code), fileIn)),
      },
    ],
  };
}

function resultOf(
  { severity, code, message, hint, place, address, related = [] }: Diagnostic,
  ruleIndex: number,
  fileIn: (file: string) => string,
): Readonly<Record<string, unknown>> {
  const location = (at: SourceLocation): Readonly<Record<string, unknown>> => ({
    physicalLocation: {
      artifactLocation: { uri: fileIn(at.file).split('/').map(encodeURIComponent).join('/') },
      region: { startLine: at.line, startColumn: at.col },
    },
  });
  const about = address === undefined ? '' : `${address}: `;
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: safeText(`${about}${message}${hint === undefined ? '' : `. ${hint}`}`, 2000) },
    locations: place === undefined ? [] : [location(place)],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((other) => ({
            ...location(other.place),
            message: { text: safeText(other.message) },
          })),
        }),
  };
}
