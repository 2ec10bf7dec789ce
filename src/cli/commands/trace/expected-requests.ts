import { resolve } from 'node:path';
import * as z from 'zod';
import { counted } from '../../../diagnostics/counted.ts';
import { sortDiagnostics } from '../../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { Problems } from '../../../manifest/check/problems.ts';
import { checkSettings } from '../../../manifest/settings/check-settings.ts';
import { settingsDocuments, settingsVisibility } from '../../../manifest/settings/settings-document.ts';
import { requirements, type Requirement } from '../../../model/exposure/access-rules.ts';
import { present } from '../../../model/present.ts';
import {
  httpRequest,
  requestText,
  type HttpRequest,
  type RoutingIndex,
} from '../../../plan/access-policy/routing-index.ts';
import {
  traceAnswers,
  traceRequest,
  type RequestTrace,
  type TraceAnswer,
} from '../../../plan/access-policy/trace-request.ts';
import type { IdNaming } from '../../../plan/exposure/id-naming.ts';
import { traceJson } from '../../../render/access/trace-text.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';

interface ExpectedRequest {
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

/** Traces every request of a file, and reports those that end otherwise. */
export function checkExpected(
  context: Context,
  all: readonly ExpectedRequest[],
  index: RoutingIndex,
  named: IdNaming,
): number {
  const checked = all.map((expected) => {
    const traced = traceRequest(expected.request, index, named);
    return { expected, traced, differences: differencesOf(expected, traced) };
  });
  const wrong = checked.filter(({ differences }) => differences.length > 0);
  const lines = wrong.map(
    ({ expected: { file, line, request }, differences }) =>
      `${safeText(file, 200)}:${String(line)}: ${safeText(`${requestText(request)}: ${differences.join('; ')}`, 2000)}\n`,
  );
  const summary =
    wrong.length === 0
      ? `${counted(all.length, 'request')} handled as expected.\n`
      : `${String(wrong.length)} of ${counted(all.length, 'request')} not handled as expected.\n`;
  const code = context.done([...lines, summary].join(''), {
    as_expected: wrong.length === 0,
    requests: checked.map(({ expected: { file, line, answer, requires, route }, traced, differences }) => ({
      source: `${file}:${String(line)}`,
      expected: present({ answer, requires, route }),
      ...traceJson(traced, new Map()),
      differences,
    })),
  });
  return wrong.length === 0 ? code : exitCodes.refused;
}

function differencesOf({ answer, requires, route }: ExpectedRequest, traced: RequestTrace): string[] {
  const missing = requires.filter((one) => !traced.requires.includes(one));
  const taken = traced.route?.address ?? 'no route';
  return [
    ...(answer === traced.answer ? [] : [`expected ${answer}, got ${traced.answer} (${traced.reason})`]),
    ...(missing.length === 0 ? [] : [`missing requirement: ${missing.join(', ')}`]),
    ...(route === undefined || route === taken ? [] : [`expected route ${route}, got ${taken}`]),
  ];
}
