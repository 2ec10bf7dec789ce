import { posix } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { failureJson } from '../diagnostics/failure-json.ts';
import { sarifLog } from '../diagnostics/sarif-log.ts';
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
  return jsonText(sarifLog(diagnostics, version, (file) => posix.join(repository?.folder ?? '', file)));
}
