import type { Dispatcher } from 'undici';
import { kinds as ownKinds } from '../kinds/index.ts';
import type { Actual } from '../model/actual.ts';
import { AccountStore } from './account/account.ts';
import type { AccountData } from './account/account-data.ts';
import { addAgent, agentsOnline, removeAgent, type AgentSetup } from './agents/agents.ts';
import { answerOf, type Answer } from './answer.ts';
import { behaviours } from './behaviours/by-family.ts';
import { usualHostportSharing } from './behaviours/hostport-sharing.ts';
import { provisioningNote } from './behaviours/agent-ingress.ts';
import { copyInto } from './account/copy.ts';
import { EmulatorDispatcher } from './http/dispatcher.ts';
import { headersIn, type EmulatorRequest, type Exchange } from './http/exchange.ts';
import type { GatewayOptions } from './gateway/gateway-options.ts';
import { openGateway, type Gateway } from './gateway/gateway.ts';
import type { Family, Stored } from './family.ts';
import { chance as chanceOf, type Chance } from './ids.ts';
import { throughAll, type Interceptor } from './http/interceptor.ts';
import type { EmulatorOptions, ListOrder, Settings } from './options.ts';
import { router } from './http/router.ts';
import { serve, type ListeningServer, type ListenAddress } from './http/server.ts';
import { service } from './service.ts';
import type { EmulatorWorld } from './world.ts';

/** One request in the log. Bodies may contain secrets, so they are kept in memory only. */
export interface LoggedRequest {
  readonly n: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: string | undefined;
  readonly actor: string | undefined;
}

/** The whole service in one value. */
export interface Emulator {
  /** Answers a request without a socket. */
  readonly handle: (request: EmulatorRequest) => Promise<Answer>;
  /** An undici Dispatcher that this emulator answers. */
  readonly dispatcher: () => Dispatcher;
  /** Serves on real sockets, by default on loopback with plain HTTP. */
  readonly listen: (place?: ListenAddress) => Promise<ListeningServer>;
  /** The front door of the account as it is at each request. */
  readonly gateway: (options?: GatewayOptions) => Gateway;
  /** The latest requests, oldest first. */
  readonly log: readonly LoggedRequest[];
  /** How many requests there were. */
  readonly count: () => number;
  /** The whole account as a value that JSON can hold. */
  readonly snapshot: () => AccountData;
  readonly restore: (account: AccountData) => void;
  /** Adds resources of another account as they are there. */
  readonly copy: (resources: Iterable<Actual>) => void;
  /** Puts something around the service from here on; answers a function that takes it away. The last put is the outermost. */
  readonly intercept: (interceptor: Interceptor) => () => void;
  /** Brings an agent online; answers the id of its session. */
  readonly addAgent: (agent?: AgentSetup) => string;
  /** The sessions of the agents that are online. */
  readonly agents: () => readonly Stored[];
  /** Takes an agent away for good; false when no session has the id. */
  readonly removeAgent: (session: string) => boolean;
  /** Makes certificates for an ingress domain fail from here on, or no more. */
  readonly failCertificates: (domain: string, how: 'INTERNAL_ERROR' | 'DNS_ERROR' | undefined) => void;
}

/** The URL of an emulator without a socket; the name can never be resolved. */
export const inProcessOrigin = 'http://emulator.invalid';

/** Makes an empty account behind the whole API. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const world = worldOf(options);
  const find = router(world.families.values());
  const answer = service(world);
  const log: LoggedRequest[] = [];
  const interceptors: Interceptor[] = [];
  let count = 0;

  async function handle(request: EmulatorRequest): Promise<Answer> {
    const exchange = exchangeOf(request, ++count, find);
    const answered = await throughAll(interceptors, (seen) => Promise.resolve(perform(seen)), exchange, world);
    if (world.settings.logKept > 0) remember(exchange, request, answered.status);
    return answered;
  }

  function remember({ n, method, body }: Exchange, { path, actor }: EmulatorRequest, status: number): void {
    const { logKept } = world.settings;
    if (log.length >= 2 * logKept) log.splice(0, logKept);
    log.push({ n, method, path, status, body: body === '' ? undefined : body, actor });
  }

  /** The service does its part whole in one go; only what is put around it may wait. */
  function perform(exchange: Exchange): Answer {
    const id = (): string => world.chance.bytes('operation', String(exchange.n)).toString('hex').slice(0, 27);
    return answerOf(
      () => answer(exchange),
      () => `op_${id()}`,
    );
  }

  return {
    handle,
    dispatcher: () => new EmulatorDispatcher(handle),
    listen: (place) => serve(handle, place),
    gateway: (options) => openGateway(world.account, world.settings.clock, options),
    log,
    count: () => count,
    snapshot: () => world.account.snapshot(world.chance.drawn),
    restore: (account) => {
      world.account.restore(account);
      world.chance.drawn = account.drawn;
      for (const [kind, { follow }] of world.behaviours)
        for (const resource of world.account.all(kind)) follow?.(resource, undefined, world);
    },
    copy: (resources) => {
      for (const resource of resources) copyInto(world, resource);
    },
    intercept: (interceptor) => {
      interceptors.push(interceptor);
      return () => void interceptors.splice(interceptors.indexOf(interceptor), 1);
    },
    addAgent: (agent = {}) => addAgent(agent, world),
    agents: () => agentsOnline(world),
    removeAgent: (session) => removeAgent(session, world),
    failCertificates: (domain, how) => {
      if (how === undefined) world.account.notes.delete(provisioningNote(domain));
      else world.account.notes.set(provisioningNote(domain), how);
    },
  };
}

function worldOf({ apiKey, seed, kinds = ownKinds, ...options }: EmulatorOptions): EmulatorWorld {
  const settings: Settings = {
    profile: 'completed',
    vendor: 'example',
    clock: () => new Date(),
    readBack: 'service',
    normalize: [],
    cookiePrefix: 'svc.',
    secrets: 'clear',
    strictRefs: false,
    externals: [],
    ...usualHostportSharing,
    edgeEndpoints: 'shown',
    nextPageUri: 'absolute',
    pageSize: 100,
    listOrder: 'newest',
    abuseReports: 'granted',
    logKept: 100_000,
    emptyRouteFields: 'cleared',
    ...options,
    apiKey,
    kinds,
  };
  const families = new Map(
    kinds.families.map((family): [string, Family] => [
      family.name,
      'rules' in family ? family : { ...family, rules: [], unique: [] },
    ]),
  );
  const chance = chanceOf(seed);
  const account = new AccountStore(families, orderOf(settings.listOrder, chance));
  return { settings, families, behaviours, account, chance };
}

/** The sort key of lists: the highest comes first. */
function orderOf(order: ListOrder, chance: Chance): (seq: number, id: string) => number {
  if (order === 'newest') return (seq) => seq;
  if (order === 'oldest') return (seq) => -seq;
  return (seq, id) => chance.number(4_294_967_296, 'list', id) * 1_048_576 + (seq % 1_048_576);
}

function exchangeOf(request: EmulatorRequest, n: number, find: ReturnType<typeof router>): Exchange {
  const at = request.path.indexOf('?');
  const path = at < 0 ? request.path : request.path.slice(0, at);
  const { body = '' } = request;
  return {
    n,
    method: request.method.toUpperCase(),
    path,
    query: at < 0 ? '' : request.path.slice(at + 1),
    headers: headersIn(request),
    body: typeof body === 'string' ? body : Buffer.from(body).toString('utf8'),
    origin: request.origin ?? inProcessOrigin,
    found: find(path),
  };
}
