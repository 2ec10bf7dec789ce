import { answered, noContent, notFound, Refusal, type Answer } from './answer.ts';
import type { Exchange } from './http/exchange.ts';
import type { Stored } from './family.ts';
import { admit, admitBody } from './http/gate.ts';
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
} from './account/resources.ts';
import { offered, type MatchedCall, type Target } from './http/router.ts';
import type { EmulatorWorld } from './world.ts';

/** Answers requests on a world: everything between the wire and the account. Whole in one go, so no two requests mix. */
export function service(world: EmulatorWorld): (exchange: Exchange) => Answer {
  const render = renderer(world);
  return (exchange) => {
    admit(exchange, world.settings);
    const { target, ids } = offeredCall(exchange, world);
    admitBody(exchange);
    const behaviour = world.behaviours.get(target.family.name);
    if (behaviour?.granted?.(world) === false)
      throw new Refusal(403, 'FORBIDDEN', 'The API key has no permission for this resource type.');
    behaviour?.pass?.(world);
    if (exchange.query !== '' && !(target.place === 'collection' && exchange.method === 'GET'))
      throw unknownParameter();
    return perform(exchange, target, ids);
  };

  function perform(exchange: Exchange, target: Target, ids: readonly string[]): Answer {
    const { family, place } = target;
    const { method, body, origin } = exchange;
    const parent = family.within === undefined ? undefined : ids[0];
    if (place === 'collection') {
      if (method === 'POST')
        return answered(201, render(createResource(family, parent, bodyObject(body), world), origin));
      return listPage(family, exchange, world, (id) => {
        const resource = world.account.get(family.name, id);
        return resource === undefined ? 'null' : render(resource, origin);
      });
    }
    const resource = world.account.get(family.name, ids.at(-1) ?? '');
    if (resource === undefined || resource.parent !== parent) throw notFound();
    if (place === 'module') return performOnModule(exchange, target, resource);
    if (place === 'action') return act(exchange, target, resource);
    if (method === 'GET') return answered(200, render(resource, origin));
    if (method === 'PATCH')
      return answered(200, render(updateResource(family, resource, bodyObject(body), world), origin));
    deleteResource(resource, world);
    return noContent;
  }

  function performOnModule({ method, body, origin }: Exchange, target: Target, resource: Stored): Answer {
    const { family, detail = '' } = target;
    if (method === 'DELETE') {
      unsetModule(family, detail, resource, world);
      return noContent;
    }
    const of = method === 'GET' ? resource : putModule(family, detail, resource, bodyOrEmpty(body), world);
    const module = readForm(of, world, origin)[family.fields[detail]?.readAs ?? detail];
    if (module === null || module === undefined) throw notFound();
    return answered(200, JSON.stringify(module));
  }

  function act({ body }: Exchange, { family, detail = '' }: Target, resource: Stored): Answer {
    const empty = withoutPathIds(family, bodyOrEmpty(body), undefined, resource.id);
    if (Object.keys(empty).length > 0) throw new Refusal(400, 'UNKNOWN_FIELD', 'The body must be an empty object.');
    world.behaviours.get(family.name)?.act?.(detail, resource, world);
    return noContent;
  }
}

/** What a request leads to. A path or method that the profile does not offer: 404 for a completed call, 405 for a wrong method. */
function offeredCall({ found, method }: Exchange, { settings }: EmulatorWorld): MatchedCall {
  if (found === undefined) throw notFound();
  const methods = offered(found.target, settings.profile);
  if (methods.includes(method)) return found;
  if (methods.length === 0 || found.target.methods.has(method)) throw notFound();
  throw new Refusal(405, 'METHOD_NOT_ALLOWED', `The path does not support the method ${method}.`, {
    allow: methods.join(', '),
  });
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
