import { splitMetadata } from '../../src/derive/marker.ts';
import type { Emulator } from '../../src/emulator/emulator.ts';
import type { Stored } from '../../src/emulator/family.ts';
import { asksAmong, doorsOf, type Seen } from '../support/front-door.ts';

/** What the service did in truth, whatever its client heard of it. */
export interface Witness {
  /** Writes that were carried out. */
  readonly done: readonly Deed[];
  /** Who could come in where: at the start, and after each write that could change it. */
  readonly fronts: readonly Front[];
  /** The edges and their routes then. */
  readonly readings: readonly (readonly Stored[])[];
  /** Every request as it was sent, also those that were never carried out. */
  readonly requests: () => number;
}

/** One write that was carried out. */
export interface Deed {
  readonly method: string;
  readonly path: string;
  /** Whose resource was created or deleted; undefined for other writes and for what is not ours. */
  readonly address?: string;
  readonly what?: 'created' | 'deleted';
}

/** What a request must satisfy, by place and path. */
export type Front = ReadonlyMap<string, readonly string[] | 'refused'>;

/** Places and paths that tell the doors of the reference stacks apart. */
export interface Doors {
  readonly places: readonly string[];
  readonly paths: readonly string[];
}

/** Stands inside the service from here on, behind every fault. */
export function witness(emulator: Emulator, doors: Doors): Witness {
  const done: Deed[] = [];
  const fronts: Front[] = [];
  const readings: (readonly Stored[])[] = [];
  const look = (): void => {
    const edges = emulator.snapshot().resources.filter(({ kind }) => kind.startsWith('HTTPSEdge'));
    fronts.push(frontOf(edges, doors));
    readings.push(edges);
  };
  look();
  emulator.intercept(async ({ method, path, found }, next, { account }) => {
    const [last = ''] = found?.ids.slice(-1) ?? [];
    const owner =
      method === 'DELETE' ? addressIn(account.get(found?.target.family.name ?? '', last)?.spec['metadata']) : undefined;
    const answer = await next();
    if (method === 'GET' || answer.status >= 300) return answer;
    if (method === 'POST' && answer.status === 201) {
      const made = JSON.parse(answer.body) as { readonly metadata?: unknown };
      const address = addressIn(made.metadata);
      done.push({ method, path, what: 'created', ...(address === undefined ? {} : { address }) });
    } else if (method === 'DELETE' && path.endsWith(`/${last}`)) {
      done.push({ method, path, what: 'deleted', ...(owner === undefined ? {} : { address: owner }) });
    } else done.push({ method, path });
    if (path.startsWith('/edges/')) look();
    return answer;
  });
  return { done, fronts, readings, requests: () => emulator.count() };
}

/** Whose a resource says it is, by its marker. */
export function addressIn(metadata: unknown): string | undefined {
  return typeof metadata === 'string' ? splitMetadata(metadata).marker?.a : undefined;
}

function frontOf(resources: readonly Seen[], { places, paths }: Doors): Front {
  const doors = doorsOf(resources);
  return new Map(
    places.flatMap((place) => paths.map((path) => [`${place}${path}`, asksAmong(doors, place, path)] as const)),
  );
}
