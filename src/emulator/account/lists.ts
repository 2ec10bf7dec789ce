import { answered, Refusal, type Answer } from '../answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Family } from '../family.ts';
import type { EmulatorWorld } from '../world.ts';

/** One page of a family: `limit` (1 to 100) and `before_id` are the only parameters. */
export function listPage(
  family: Family,
  { query, origin }: Exchange,
  { account, settings }: EmulatorWorld,
  render: (id: string) => string,
): Answer {
  const given = new URLSearchParams(query);
  if ([...given.keys()].some((name) => name !== 'limit' && name !== 'before_id')) throw unknownParameter();
  // Typed clients send what nobody set as an empty text.
  const [asked, before] = [given.get('limit') ?? '', given.get('before_id') ?? ''];
  if (asked !== '' && !/^(?:[1-9]\d?|100)$/.test(asked))
    throw new Refusal(400, 'INVALID_PARAMETER', '`limit` must be an integer from 1 to 100.');
  const limit = asked === '' ? settings.pageSize : Number(asked);
  const page = account.list(family.name).page(limit, before === '' ? undefined : before);
  if (page === undefined) throw new Refusal(400, 'INVALID_PARAMETER', '`before_id` is not an id of this list.');
  const last = page.ids.at(-1);
  const next =
    page.more && last !== undefined
      ? `${settings.nextPageUri === 'path' ? '' : origin}${family.path}?before_id=${last}&limit=${limit}`
      : null;
  const uri = `${family.pathOnlyUri === true ? '' : origin}${family.path}`;
  return answered(
    200,
    `{${JSON.stringify(family.listKey)}:[${page.ids.map(render).join(',')}],"uri":${JSON.stringify(uri)},"next_page_uri":${JSON.stringify(next)}}`,
  );
}

/** The call takes no such query parameter. */
export function unknownParameter(): Refusal {
  return new Refusal(400, 'UNKNOWN_PARAMETER', 'The request has a query parameter that this call does not accept.');
}
