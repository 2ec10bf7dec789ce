import { expect, test } from 'vitest';
import { AmbiguousAnswer, isNotFound } from '../../src/api/api-errors.ts';
import { createClient, type Client } from '../../src/api/client.ts';
import { httpService, json } from '../support/http-service.ts';

const hint = 'check that api.base_url is the URL of the service, and that no proxy changes the responses';

/** A client of something that answers every request with this. */
async function clientOf(status: number, body: unknown): Promise<Client> {
  const { url, dispatcher } = await httpService((_, response) =>
    typeof body === 'string' ? response.writeHead(status).end(body) : json(response, status, body),
  );
  return createClient({ baseUrl: url, vendor: 'example', key: () => 'key', dispatcher, userAgent: 'test/1' });
}

test.each([200, 400, 404])('a page that is not of the service, with %i, says where to look', async (status) => {
  const client = await clientOf(status, '<html>\n<h1>Not here</h1>');
  const error: unknown = await client.get('/a/1').catch((error: unknown) => error);
  expect(error).toMatchObject({ status, hint });
  expect(isNotFound(error)).toBe(false);
});

test.each([{ status_code: 404, msg: 'no such resource' }, ''])('a 404 of the service says that: %j', async (body) => {
  const error: unknown = await (await clientOf(404, body)).get('/a/1').catch((error: unknown) => error);
  expect(error).toMatchObject({ status: 404, hint: undefined });
  expect(isNotFound(error)).toBe(true);
});

test('an id that is the key, or a secret of the request, is refused: state and output hold ids', async () => {
  const read = (await clientOf(200, { id: 'key' })).get('/a/1');
  await expect(read).rejects.toMatchObject({
    code: 'UNREADABLE_RESPONSE',
    msg: 'the `id` in the response contains the API key',
  });
  const secret = 'a secret of the body';
  const client = await clientOf(200, { id: `ra_${secret}` });
  const written = client.write({ method: 'POST', path: '/a', body: { secret }, secrets: [secret] });
  await expect(written).rejects.toBeInstanceOf(AmbiguousAnswer);
});
