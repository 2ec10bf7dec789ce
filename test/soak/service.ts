import { splitMetadata } from '../../src/derive/marker.ts';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { foreignResources } from '../faults/foreign.ts';
import { asks } from '../support/front-door.ts';
import { restrictedHostport } from './company.ts';
import { soakFaults, type Faults } from './faults.ts';

/** Who a resource belongs to, by the marker it was created with. */
export interface Owner {
  readonly stack: string;
  readonly address: string;
}

/** One write that the service has carried out. */
export interface Deed {
  readonly at: number;
  /** The key it came with: each life of a replica has one of its own. */
  readonly by: string;
  readonly method: string;
  readonly path: string;
  /** Whose resource it was about; undefined where no stack has made it. */
  readonly owner: Owner | undefined;
  /** It ended the life of the resource. */
  readonly isEnd: boolean;
  /** Another resource of the same address was there as well. */
  readonly hasDuplicate: boolean;
}

/** The emulator on real sockets, with what it has seen behind all faults. */
export interface Service {
  readonly emulator: Emulator;
  readonly url: string;
  readonly faults: Faults;
  readonly deeds: readonly Deed[];
  /** Moments at which somebody could come in at the restricted place without an account. */
  readonly openDoors: readonly string[];
  /** What has changed of what others have in the account. */
  readonly foreignChanges: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** The key of the person who changes things by hand. */
export const personsKey = 'person';

/** Starts the service, with some resources of others in it. */
export async function startService(seed: number, withStalls: boolean): Promise<Service> {
  const emulator = createEmulator({ seed });
  const { url, close } = await emulator.listen();
  const foreign: string[] = [];
  for (const { path, body } of foreignResources) foreign.push(await create(emulator, path, body));
  const before = foreignForm();
  const deeds: Deed[] = [];
  const openDoors: string[] = [];
  const owners = new Map<string, Owner>();
  emulator.intercept(async ({ method, path, headers, found }, next, { account }) => {
    const answer = await next();
    if (method === 'GET' || answer.status >= 300) return answer;
    const by = keyIn(headers['authorization']);
    const made = answer.status === 201 ? (JSON.parse(answer.body) as Made) : undefined;
    const id = made?.id ?? found?.ids.at(-1) ?? '';
    const marker = made === undefined ? undefined : splitMetadata(made.metadata ?? '').marker;
    if (marker !== undefined) owners.set(id, { stack: marker.s.split('/')[0] ?? '', address: marker.a });
    const owner = owners.get(id);
    const isEnd = method === 'DELETE' && path.endsWith(`/${id}`);
    const hasDuplicate = [...owners].some(([other, of]) => other !== id && isSame(of, owner) && emulatorHas(other));
    deeds.push({ at: Date.now(), by, method, path, owner, isEnd, hasDuplicate });
    if (path.startsWith('/edges/')) lookAtDoors(`${by} ${method} ${path}`);
    return answer;

    function emulatorHas(other: string): boolean {
      return [...ownKinds].some((kind) => account.get(kind, other) !== undefined);
    }
  });
  const faults = soakFaults(seed, ({ headers }) => keyIn(headers['authorization']) === personsKey, withStalls);
  for (const interceptor of faults.interceptors) emulator.intercept(interceptor);

  function foreignForm(): string {
    const { resources } = emulator.snapshot();
    return JSON.stringify(resources.filter(({ id }) => foreign.includes(id)).map(({ id, spec }) => [id, spec]));
  }

  function lookAtDoors(after: string): void {
    const { resources } = emulator.snapshot();
    for (const path of doorPaths) {
      const asked = asks(resources, restrictedHostport, path);
      if (asked !== 'refused' && !asked.includes('authentication')) openDoors.push(`${path} was open after ${after}`);
    }
  }

  return {
    emulator,
    url,
    faults,
    deeds,
    openDoors,
    foreignChanges: () => (foreignForm() === before ? [] : [`what others have was ${before} and is ${foreignForm()}`]),
    close,
  };
}

interface Made {
  readonly id: string;
  readonly metadata?: string;
}

const ownKinds = ['HTTPSEdge', 'HTTPSEdgeRoute', 'ReservedAddr', 'EventSubscription'] as const;
const doorPaths = [
  '/',
  '/elsewhere',
  '/checkout',
  '/checkout/below',
  '/console',
  '/orders',
  '/orders/open',
  '/orders/open/below',
];

function keyIn(authorization: string | undefined): string {
  return (authorization ?? '').replace(/^Bearer /, '');
}

function isSame(one: Owner, other: Owner | undefined): boolean {
  return other !== undefined && one.stack === other.stack && one.address === other.address;
}

async function create(emulator: Emulator, path: string, body: object): Promise<string> {
  const headers = { authorization: 'Bearer others', 'example-version': '2', 'content-type': 'application/json' };
  const answer = await emulator.handle({ method: 'POST', path, headers, body: JSON.stringify(body) });
  return (JSON.parse(answer.body) as Made).id;
}
