import type { Answer } from '../answer.ts';
import type { Mode } from './modes.ts';

type Body = Record<string, unknown>;

/** The answer with other text for a body; what has none stays as it is. */
function withText(change: (text: string, detail: string | undefined) => string): Mode {
  return (detail) => async (_, next) => {
    const answer = await next();
    return answer.status === 204 ? answer : { ...answer, body: change(answer.body, detail) };
  };
}

/** The answer with another object for a body. */
function withBody(change: (body: Body) => unknown): Mode {
  return withText((text) => JSON.stringify(change(JSON.parse(text) as Body)));
}

function asType(type: string, text?: string): Mode {
  return () => async (_, next) => {
    const answer: Answer = await next();
    return { ...answer, headers: { ...answer.headers, 'content-type': type }, body: text ?? answer.body };
  };
}

/** What the body says after the commit, under a status of success. `huge=N` is N megabytes. */
export const bodyFaults: Readonly<Record<string, Mode>> = {
  empty: withText(() => ''),
  html: asType('text/html', '<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>'),
  'malformed-json': withText((text) => `${text.slice(0, -1)},`),
  'wrong-json': withText(() => '["surprise"]'),
  'id-missing': withBody(({ id: _, ...rest }) => rest),
  'other-id': withBody((body) => ({ ...body, id: `${String(body['id']).split('_', 1)[0] ?? ''}_${'0'.repeat(27)}` })),
  'unknown-fields': withBody((body) => ({ ...body, from_the_future: { nested: [1, null] } })),
  'wrong-content-type': asType('application/octet-stream'),
  huge: withText(
    (text, detail) => `${text.slice(0, -1)},"padding":"${'x'.repeat(Number(detail ?? 100) * 1_048_576)}"}`,
  ),
  deep: withText(() => '['.repeat(100_000) + ']'.repeat(100_000)),
};
