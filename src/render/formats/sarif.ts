import { posix } from 'node:path';
import { codes } from '../../diagnostics/codes.ts';
import type { Diagnostic, SourceLocation } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { failureJson } from '../diagnostics/diagnostic-json.ts';
import { jsonText } from '../text/json-text.ts';
import type { Format, OutputTarget } from './format.ts';

/** Problems in manifests and settings, for code scanners and editors. An error without a place in them is no result: a log without results would close those of earlier runs. */
export const sarifFormat: Format = {
  isInteractive: false,
  validation,
  failure: (error, target) =>
    error instanceof InvalidInput ? validation(error.diagnostics, target) : jsonText(failureJson(error)),
};

function validation(diagnostics: readonly Diagnostic[], { version, repository }: OutputTarget): string {
  const fileIn = (file: string): string => posix.join(repository?.folder ?? '', file);
  const rules = [...new Set(diagnostics.map(({ code }) => code))].sort();
  return jsonText({
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
  });
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
  const relatedLocation = (other: (typeof related)[number]): object => ({
    ...location(other.place),
    message: { text: safeText(other.message) },
  });
  const about = address === undefined ? '' : `${address}: `;
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: safeText(`${about}${message}${hint === undefined ? '' : `. ${hint}`}`, 2000) },
    locations: place === undefined ? [] : [location(place)],
    ...(related.length === 0 ? {} : { relatedLocations: related.map(relatedLocation) }),
  };
}
