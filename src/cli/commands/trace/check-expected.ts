import { traceRequest, type RequestTrace } from '../../../plan/access-policy/trace-request.ts';
import type { IdNaming } from '../../../plan/exposure/id-naming.ts';
import { type RoutingIndex, requestText } from '../../../plan/access-policy/routing-index.ts';
import { counted } from '../../../diagnostics/counted.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { traceJson } from '../../../render/access/trace-text.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import type { ExpectedRequest } from './expected-requests.ts';

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
  context.result(
    () =>
      [
        ...wrong.map(
          ({ expected: { file, line, request }, differences }) =>
            `${safeText(file, 200)}:${String(line)}: ${safeText(`${requestText(request)}: ${differences.join('; ')}`, 2000)}\n`,
        ),
        wrong.length === 0
          ? `${counted(all.length, 'request')} handled as expected.\n`
          : `${String(wrong.length)} of ${counted(all.length, 'request')} not handled as expected.\n`,
      ].join(''),
    () => ({
      format_version: '1.0',
      as_expected: wrong.length === 0,
      requests: checked.map(({ expected: { file, line, answer, requires, route }, traced, differences }) => ({
        source: `${file}:${String(line)}`,
        expected: { answer, requires, ...(route === undefined ? {} : { route }) },
        ...traceJson(traced, new Map()),
        differences,
      })),
    }),
  );
  return wrong.length === 0 ? exitCodes.done : exitCodes.refused;
}

/** What is not as expected, in words. */
function differencesOf({ answer, requires, route }: ExpectedRequest, traced: RequestTrace): string[] {
  const missing = requires.filter((one) => !traced.requires.includes(one));
  const taken = traced.route?.address ?? 'no route';
  return [
    ...(answer === traced.answer ? [] : [`expected ${answer}, got ${traced.answer} (${traced.reason})`]),
    ...(missing.length === 0 ? [] : [`missing requirement: ${missing.join(', ')}`]),
    ...(route === undefined || route === taken ? [] : [`expected route ${route}, got ${taken}`]),
  ];
}
