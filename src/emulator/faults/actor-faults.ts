import { Refusal } from '../answer.ts';
import type { Family, Stored } from '../family.ts';
import type { Exchange } from '../http/exchange.ts';
import { createResource, deleteResource, updateResource } from '../account/resources.ts';
import type { EmulatorWorld } from '../world.ts';
import type { Mode } from './fault.ts';

/** Does something to a resource before the request is carried out; where there is none, or the service refuses it, nothing happens. */
function meanwhile(act: (resource: Stored, family: Family, world: EmulatorWorld) => unknown): Mode {
  return (detail) => (exchange, next, world) => {
    const resource = meant(detail, exchange, world);
    const family = world.families.get(resource?.kind ?? '');
    try {
      if (resource !== undefined && family !== undefined) act(resource, family, world);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    return next();
  };
}

/** The resource with an id, the latest of a kind, or what the request is about: its item, or the latest of its family. */
function meant(detail: string | undefined, { found }: Exchange, world: EmulatorWorld): Stored | undefined {
  const { account, families } = world;
  const byId = [...families.keys()].map((kind) => account.get(kind, detail ?? found?.ids.at(-1) ?? ''));
  const named = byId.find((resource) => resource !== undefined);
  return named ?? account.latest(detail ?? found?.target.family.name ?? '');
}

/** The same again under another id, as from another tool's copy. */
function recreate(resource: Stored, family: Family, world: EmulatorWorld): void {
  deleteResource(resource, world);
  try {
    createResource(family, resource.parent, resource.spec, world);
  } catch (error) {
    // By now it is gone: a run that goes on would test something else.
    throw new Error(`${resource.id} could not be created again`, { cause: error });
  }
}

/**
 * What somebody else does to an object just before the request: `other-deletes@PATCH:*:1` deletes what the first PATCH is
 * about, between plan and apply; `other-changes=HTTPSEdge@POST:*:2` changes the latest edge inside an apply. A change is
 * of its description.
 */
export const actorFaults: Readonly<Record<string, Mode>> = {
  'other-changes': meanwhile((resource, family, world) =>
    updateResource(family, resource, { description: 'Changed by another client' }, world),
  ),
  'other-deletes': meanwhile((resource, _, world) => deleteResource(resource, world)),
  'other-recreates': meanwhile(recreate),
};
