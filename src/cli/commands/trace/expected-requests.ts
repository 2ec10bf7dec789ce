import { resolve } from 'node:path';
import * as z from 'zod';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../../diagnostics/errors.ts';
import { readSafely } from '../../../files/safe-file.ts';
import { locate } from '../../../manifest/read/locate.ts';
import { parseDocuments } from '../../../manifest/read/parse-documents.ts';
import { SourceFile, type SourceDocument } from '../../../manifest/read/source-document.ts';
import { parseTree } from '../../../manifest/read/yaml-tree.ts';
import { requirements, type Requirement } from '../../../model/access-rules.ts';
import { httpRequest, type HttpRequest } from '../../../plan/access-policy/http-request.ts';
import { traceAnswers, type TraceAnswer } from '../../../plan/access-policy/trace-request.ts';
import type { Context } from '../../context.ts';

/** A request, and what is expected of it. */
export interface ExpectedRequest {
  readonly request: HttpRequest;
  readonly answer: TraceAnswer;
  /** What it must satisfy, at least. */
  readonly requires: readonly Requirement[];
  /** The address of the route that takes it; undefined: any. */
  readonly route: string | undefined;
  readonly file: string;
  readonly line: number;
}

const item = z.strictObject({
  request: z.string(),
  answer: z.enum(traceAnswers),
  requires: z.array(z.enum(requirements)).optional(),
  route: z.string().optional(),
});

const form =
  'must be {request: GET https://HOST/PATH, answer: passes, refused, depends or unreachable}, with `requires` and `route` if needed';

/** Reads a YAML list of requests with expected answers. Throws with everything that is wrong. */
export function readExpectedRequests({ io }: Context, name: string): readonly ExpectedRequest[] {
  const read = readSafely(resolve(io.cwd, name));
  if ('code' in read) throw new InvalidInput([problem(name, 1, `the file ${read.message}`, read.code)]);
  const file = new SourceFile(name, read.text);
  const problems: Diagnostic[] = [];
  const found: ExpectedRequest[] = [];
  for (const { document, value, problems: wrong } of parseDocuments(file)) {
    for (const { message, range } of wrong)
      problems.push(problem(name, file.spot(range[0] + document.start).line, message, 'SYNTAX_ERROR'));
    if (wrong.length > 0) continue;
    if (!Array.isArray(value)) problems.push(problem(name, 1, 'the file must contain a list of requests'));
    else
      for (const [index, one] of value.entries()) {
        const line = lineOf(one, index, document);
        const parsed = item.safeParse(one);
        const [method = '', url = ''] = parsed.data?.request.split(' ') ?? [];
        const request = httpRequest(method, url);
        if (parsed.data === undefined || request === undefined) {
          problems.push(problem(name, line, `the expected request ${form}`));
          continue;
        }
        const { answer, requires = [], route } = parsed.data;
        found.push({ request, answer, requires, route, file: name, line });
      }
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  if (found.length === 0) throw new InvalidInput([problem(name, 1, 'the file contains no requests')]);
  return found;
}

function lineOf(value: unknown, index: number, document: SourceDocument): number {
  const { file, starts, start } = document;
  const at = typeof value === 'object' && value !== null ? starts.get(value) : undefined;
  if (at !== undefined) return file.spot(at).line;
  const tree = parseTree(document);
  return file.spot(start + (tree === undefined ? 0 : locate(tree, [index])[0])).line;
}

function problem(
  file: string,
  line: number,
  message: string,
  code: Diagnostic['code'] = 'INVALID_SETTING',
): Diagnostic {
  return { code, severity: 'error', message, place: { file, line, col: 1 } };
}
