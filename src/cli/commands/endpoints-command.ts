import { isJsonObject, type JsonObject } from '../../model/json-object.ts';
import { isNotFound } from '../../api/api-errors.ts';
import { pathSegment } from '../../derive/wire/operations.ts';
import { NotFound } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { kinds } from '../../kinds/index.ts';
import { endpoint } from '../../kinds/views.ts';
import { resourceText } from '../../render/values/resource-text.ts';
import { table } from '../../render/text/table.ts';
import { mustBeIdArgument } from '../../stack/usage-error.ts';
import type { Context } from '../context.ts';
import { maskCopied } from '../../refresh/mask-copied.ts';
import { withService } from '../with-workspace.ts';
import { stateAtHand } from '../../stack/open-state.ts';
import { anyOf } from '../../manifest/expand/matches-wildcard.ts';
import { textOf } from '../../kinds/value.ts';

interface EndpointFilter {
  readonly region?: readonly string[];
  readonly proto?: readonly string[];
  readonly type?: string;
  readonly hostport?: readonly string[];
}

const columns = ['ID', 'TYPE', 'URL', 'REGION', 'SERVED BY', 'METADATA'];

/** Lists active endpoints that match a filter. */
export async function listEndpoints(context: Context, filter: EndpointFilter): Promise<number> {
  const state = await stateAtHand(context, 'endpoints list');
  return withService(context, { command: 'endpoints list', writes: false }, async (service) => {
    const fits = condition(filter);
    const found: JsonObject[] = [];
    for await (const item of service.reader.list(endpoint.path, endpoint.listKey))
      if (isJsonObject(item) && fits(item)) found.push(maskCopied(item, kinds, state));
    return context.done(table(columns, found.map(row), context.palette, 'No active endpoints found.\n'), {
      endpoints: found,
    });
  });
}

/** Shows one endpoint with all its fields. */
export async function getEndpoint(context: Context, id: string): Promise<number> {
  mustBeIdArgument(id);
  const state = await stateAtHand(context, 'endpoints get');
  return withService(context, { command: 'endpoints get', writes: false }, async (service) => {
    const shown = await service.reader.get(`${endpoint.path}/${pathSegment(id)}`).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      throw new NotFound(
        'ENDPOINT_NOT_FOUND',
        `active endpoint ${JSON.stringify(id)} not found`,
        'run `sluice endpoints list` to list active endpoints',
      );
    });
    const found = maskCopied(shown, kinds, state);
    return context.done(resourceText(found, context.palette), { endpoint: found });
  });
}

function condition({ region, proto, type, hostport }: EndpointFilter): (found: JsonObject) => boolean {
  const wanted = { region, proto, type: type === undefined ? undefined : [type], hostport };
  const conditions = Object.entries(wanted).map(([name, texts]) => ({ name, fits: anyOf(texts) }));
  return (found) => conditions.every(({ name, fits }) => fits(textOf(found[name])));
}

function row(found: JsonObject): readonly string[] {
  const server = [found['edge'], found['tunnel']].find(isJsonObject);
  const { id, type, public_url: url, region, metadata } = found;
  return [id, type, url, region, server?.['id'], metadata].map((value) => safeText(textOf(value), 60) || '-');
}
