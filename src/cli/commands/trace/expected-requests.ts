import { resolve } from 'node:path';
import * as z from 'zod';
import { sortDiagnostics } from '../../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../../diagnostics/errors.ts';
import { Problems } from '../../../manifest/check/problems.ts';
import { checkSettings } from '../../../manifest/settings/check-settings.ts';
import { settingsDocuments, settingsVisibility } from '../../../manifest/settings/settings-document.ts';
import { requirements, type Requirement } from '../../../model/exposure/access-rules.ts';
import { httpRequest, type HttpRequest } from '../../../plan/access-policy/routing-index.ts';
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

const schema = z.array(
  z.strictObject({
    request: z.string().refine(requestOf, 'must be a method and an https URL, such as GET https://shop.example.com/'),
    answer: z.enum(traceAnswers),
    requires: z.array(z.enum(requirements)).default([]),
    route: z.string().optional(),
  }),
);

/** Reads a YAML list of requests with expected answers. Throws with everything that is wrong. */
export function readExpectedRequests({ io }: Context, name: string): readonly ExpectedRequest[] {
  const problems = new Problems(settingsVisibility(schema));
  const documents = settingsDocuments({ name, path: resolve(io.cwd, name) }, problems);
  const found = documents.flatMap((document) => {
    const { value, origin } = document;
    const items = Array.isArray(value) ? value : [];
    const listed = checkSettings(schema, document, problems) ?? [];
    return listed.flatMap(({ request: written, answer, requires, route }, index): ExpectedRequest[] => {
      const request = requestOf(written);
      const { line } = problems.startOf(origin, items[index] as object);
      return request === undefined ? [] : [{ request, answer, requires, route, file: name, line }];
    });
  });
  const place = { file: name, line: 1, col: 1 };
  if (found.length === 0 && problems.all().length === 0)
    problems.add({ code: 'INVALID_SETTING', severity: 'error', message: 'the file contains no requests', place });
  const wrong = sortDiagnostics(problems.all());
  if (wrong.length > 0) throw new InvalidInput(wrong);
  return found;
}

function requestOf(written: string): HttpRequest | undefined {
  const [method = '', url = '', ...rest] = written.split(' ');
  return rest.length > 0 ? undefined : httpRequest(method, url);
}
