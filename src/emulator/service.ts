import { answered, isRefusal, noContent, notFound, refuse, type Answer, type RefusedAnswer } from './answer.ts';
import type { Exchange } from './http/exchange.ts';
import type { Stored } from './family.ts';
import { refusedBody, turnedAway } from './http/gate.ts';
import { listPage, unknownParameter } from './account/lists.ts';
import { readForm } from './forms/read-form.ts';
import {
  bodyObject,
  bodyOrEmpty,
  createResource,
  deleteResource,
  putModule,
  unsetModule,
  updateResource,
  withoutPathIds,
  type WriteResult,
} from './account/resources.ts';
import { offered, type Target } from './http/router.ts';
import type { EmulatorWorld } from './world.ts';

type Outcome = Answer | RefusedAnswer;

/** Answers requests on a world: everything between the wire and the account. Whole in one go, so no two requests mix. */
export function service(world: EmulatorWorld): (exchange: Exchange) => Outcome {
  const render = renderer(world);
  return (exchange) => {
    const away = turnedAway(exchange, world.settings) ?? notOffered(exchange, world) ?? refusedBody(exchange);
    if (away !== undefined) return away;
    if (exchange.found === undefined) return notFound();
    const { target, ids } = exchange.found;
    const behaviour = world.behaviours.get(target.family.name);
    if (behaviour?.granted?.(world) === false)
      return refuse(403, 'FORBIDDEN', 'The API key has no permission for this resource type.');
    behaviour?.pass?.(world);
    if (exchange.query !== '' && !(target.place === 'collection' && exchange.method === 'GET'))
      return unknownParameter();
    return perform(exchange, target, ids);
  };

  function perform(exchange: Exchange, target: Target, ids: readonly string[]): Outcome {
    const { family, place } = target;
    const shown = (status: number) => (resource: Stored) => answered(status, render(resource, exchange.origin));
    const parent = family.within === undefined ? undefined : ids[0];
    if (place === 'collection') {
      if (exchange.method === 'GET')
        return listPage(family, exchange, world, (id) => {
          const resource = world.account.get(family.name, id);
          return resource === undefined ? 'null' : render(resource, exchange.origin);
        });
      const body = bodyObject(exchange.body);
      return isRefusal(body) ? body : then(createResource(family, parent, body, world), shown(201));
    }
    const resource = world.account.get(family.name, ids.at(-1) ?? '');
    if (resource === undefined || resource.parent !== parent) return notFound();
    if (place === 'module') return performOnModule(exchange, target, resource);
    if (place === 'action') return act(exchange, target, resource);
    if (exchange.method === 'GET') return shown(200)(resource);
    if (exchange.method === 'DELETE') return deleteResource(resource, world) ?? noContent;
    const body = bodyObject(exchange.body);
    return isRefusal(body) ? body : then(updateResource(family, resource, body, world), shown(200));
  }

  function performOnModule(exchange: Exchange, { family, detail = '' }: Target, resource: Stored): Outcome {
    const shown = (of: Stored): Outcome => {
      const module = readForm(of, world, exchange.origin)[family.fields[detail]?.readAs ?? detail];
      return module === null || module === undefined ? notFound() : answered(200, JSON.stringify(module));
    };
    if (exchange.method === 'GET') return shown(resource);
    if (exchange.method === 'DELETE') return then(unsetModule(family, detail, resource, world), () => noContent);
    const body = bodyOrEmpty(exchange.body);
    return isRefusal(body) ? body : then(putModule(family, detail, resource, body, world), shown);
  }

  function act({ body }: Exchange, { family, detail = '' }: Target, resource: Stored): Outcome {
    const sent = bodyOrEmpty(body);
    const empty = isRefusal(sent) ? sent : withoutPathIds(family, sent, undefined, resource.id);
    if (isRefusal(empty)) return empty;
    if (Object.keys(empty).length > 0) return refuse(400, 'UNKNOWN_FIELD', 'The body must be an empty object.');
    return world.behaviours.get(family.name)?.act?.(detail, resource, world) ?? noContent;
  }
}

/** A path or method that the profile does not offer: 404 for a completed call, 405 for a wrong method. */
function notOffered({ found, method }: Exchange, { settings }: EmulatorWorld): RefusedAnswer | undefined {
  if (found === undefined) return notFound();
  const methods = offered(found.target, settings.profile);
  if (methods.includes(method)) return undefined;
  if (methods.length === 0 || found.target.methods.has(method)) return notFound();
  return refuse(405, 'METHOD_NOT_ALLOWED', `The path does not support the method ${method}.`, {
    allow: methods.join(', '),
  });
}

function then(outcome: WriteResult, show: (resource: Stored) => Outcome): Outcome {
  return isRefusal(outcome) ? outcome : show(outcome);
}

/** The JSON text of a resource, cached until the resource changes, unless it shows what changes without it. */
function renderer(world: EmulatorWorld): (resource: Stored, origin: string) => string {
  const kept = new WeakMap<Stored, { readonly origin: string; readonly text: string }>();
  return (resource, origin) => {
    const before = kept.get(resource);
    if (before?.origin === origin) return before.text;
    const text = JSON.stringify(readForm(resource, world, origin));
    if (world.behaviours.get(resource.kind)?.live?.(resource) !== true) kept.set(resource, { origin, text });
    return text;
  };
}
