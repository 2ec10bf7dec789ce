import { posix } from 'node:path';
import { failureJson } from '../diagnostics/failure-json.ts';
import { sarifLog } from '../diagnostics/sarif-log.ts';
import { jsonText } from '../text/json-text.ts';
import type { Format } from './format.ts';

/** Problems in manifests, for code scanners and editors. */
export const sarifFormat: Format = {
  isInteractive: false,
  validation: (diagnostics, { version, repository }) =>
    jsonText(sarifLog(diagnostics, version, (file) => posix.join(repository?.folder ?? '', file))),
  failure: (error) => jsonText(failureJson(error)),
};
