import { SluiceError } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import { fieldIn } from './comment-fields.ts';
import type { PlatformClient } from './platform-client.ts';
import { errorType, listedReasons, permissionHint } from './platform-refusal.ts';

/** Reads a value from GraphQL of GitHub, which returns 200 and a list of errors in place of what it refuses. */
export async function askGraphql(
  client: PlatformClient,
  { query, variables = {} }: { readonly query: string; readonly variables?: object },
  ...wanted: readonly string[]
): Promise<unknown> {
  const path = graphqlPath(client);
  const answer = await client.send({ method: 'POST', path, body: { query, variables }, isRead: true });
  const value = fieldIn(answer, 'data', ...wanted) ?? undefined;
  const reasons = listedReasons(fieldIn(answer, 'errors'));
  if (value !== undefined || reasons === '') return value;
  const message = `POST ${client.origin}${path} returned an error: ${safeText(client.mask.hide(reasons), 300)}`;
  throw new SluiceError('PLATFORM_REFUSED', message, { hint: hintFor(errorType(answer), client) });
}

/** What to do, by the type of the first error. */
function hintFor(type: unknown, client: PlatformClient): string {
  if (type === 'NOT_FOUND')
    return `check that the token in ${client.tokenFrom} may read the repository: GitHub also reports what a token may not read as not found`;
  return permissionHint(client);
}

/** https://api.github.com/graphql, and https://HOST/api/graphql beside https://HOST/api/v3. */
function graphqlPath({ prefix }: PlatformClient): string {
  return `${prefix.replace(/\/v3$/, '')}/graphql`;
}
