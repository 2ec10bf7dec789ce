import { makeMarker } from '../../src/derive/marker.ts';
import { pathText } from '../../src/derive/wire/operations.ts';
import { toState } from '../../src/derive/stored/to-state.ts';
import { resolveRefs } from '../../src/derive/references.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Profile } from '../../src/kinds/kind.ts';
import type { ServedEndpoint } from '../../src/kinds/served-endpoint.ts';
import { Ref, Secret, type SpecObject, type SpecValue } from '../../src/kinds/value.ts';
import type { Account, Actual, Marker } from '../../src/model/actual.ts';
import { splitAddress, type Address } from '../../src/model/address.ts';
import type { Change, Plan, Step } from '../../src/model/plan/plan.ts';
import type { Desired, Lifecycle } from '../../src/model/resource.ts';
import type { Policy } from '../../src/model/stack.ts';
import type { Entry, State } from '../../src/model/state.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import { planStack } from '../../src/plan/plan.ts';

/** Resources by address, each with what is worth saying of its spec: a route's edge and match follow from its address. */
export type Specs = Readonly<Record<Address, SpecObject>>;

/** A stack as it is wanted, and an account as it is. What is ours is remembered as it is, unless said otherwise. */
export interface Given {
  readonly wanted?: Specs;
  readonly ours?: Specs;
  readonly foreign?: Specs;
  readonly lifecycle?: Readonly<Record<Address, Lifecycle>>;
  /** `lost`: nothing is remembered. Otherwise what is remembered differs from what is there by this. */
  readonly state?: 'lost' | Readonly<Record<Address, Partial<Entry>>>;
  /** Markers that are not as they should be; undefined: none. */
  readonly markers?: Readonly<Record<Address, Partial<Marker> | undefined>>;
  readonly profile?: Profile;
  readonly marker?: boolean;
  readonly policy?: Policy;
  readonly whole?: boolean;
  /** What the service shows to be served; without it, it was not asked. */
  readonly served?: readonly ServedEndpoint[];
  readonly input?: Partial<PlanInput>;
}

/** The stack of all these tests. */
export const stack = { name: 'prod', id: '7f3a9c21' };

/** Digests that can be read. */
export const digest = (text: string): string => `digest of ${text}`;

/** Another resource of the stack. */
export function to(address: Address): Ref {
  return new Ref(address);
}

/** The id that a resource has in these tests: `edghts_shop`, `edghtsrt_shop-admin`. */
export function idOf(address: Address): string {
  const { kind, name } = splitAddress(address);
  return `${kinds.named(kind)?.idPrefix ?? ''}_${name.replaceAll(/[^a-z0-9]+/gi, '-').replace(/-$/, '')}`;
}

/** Modules that come up again and again. */
export const backend = { backend: { backend_id: 'bkd_app' } };
export const oauth = { oauth: { provider: { google: {} } } };
export const oidc = {
  oidc: { issuer: 'https://id.example.com', client_id: 'app', client_secret: new Secret('s3cret') },
};
export const saml = { saml: { idp_metadata: '<EntityDescriptor/>' } };
export const ipRestriction = { ip_restriction: { ip_policy_ids: ['ipp_office'] } };

/** What a plan is made from, for a stack and an account given in short. */
export function inputOf(given: Given): PlanInput {
  const { wanted = {}, ours = {}, foreign = {}, profile = 'completed' } = given;
  const others = Object.entries(foreign).map(
    ([address, spec]) => [address, actualOf(address, spec, given, false)] as const,
  );
  const gone = given.state === 'lost' ? [] : Object.keys(given.state ?? {}).filter((address) => !(address in ours));
  const account: Account = {
    ours: new Map(Object.entries(ours).map(([address, spec]) => [address, actualOf(address, spec, given, true)])),
    foreign: others.map(([, actual]) => actual),
    complete: new Set(kinds.all.map(({ name }) => name)),
    ...(given.served === undefined ? {} : { served: given.served }),
    missing: gone.filter((address) => !(address in foreign)),
    // What state knows and others have now.
    takenOver: new Map(others.filter(([address]) => gone.includes(address))),
    diagnostics: [],
  };
  return {
    desired: {
      resources: Object.entries(wanted).map(([address, spec]) => desiredOf(address, spec, given)),
      diagnostics: [],
      complete: given.whole ?? true,
    },
    account,
    state: stateOf(given, account),
    stack: { ...stack, profile, marker: given.marker ?? true },
    policy: given.policy ?? { maxDeletes: { count: 100 }, block: [] },
    kinds,
    digest,
    ...given.input,
  };
}

/** The plan for a stack and an account given in short. */
export function planOf(given: Given): Plan {
  return planStack(inputOf(given));
}

/** The changes of a plan, a line each: symbol and address, and with what it goes. */
export function changes(plan: Plan): string[] {
  return plan.changes
    .filter(({ action }) => action !== 'none')
    .map(
      (change) =>
        `${symbols[change.action]} ${change.address}${withParent(change)}${change.markerOnly ? ' marker' : ''}`,
    );
}

/** The requests of a plan in the order listed, a line each: `METHOD path body`. A marker shows as `+marker`. */
export function requests(plan: Plan): string[] {
  return plan.steps.map(({ request: { method, path, body, marker } }) =>
    [
      `${method} ${pathText(path)}`,
      ...(body === undefined ? [] : [shown(body)]),
      ...(marker === undefined ? [] : ['+marker']),
    ].join(' '),
  );
}

/** The steps of a plan in the order listed, and what each waits for. */
export function graph(plan: Plan): string[] {
  return plan.steps.map(lineOf);
}

/** The steps of a plan without why they wait. */
export function order(plan: Plan): string[] {
  return plan.steps.map(({ id, dependsOn }) =>
    dependsOn.length === 0 ? id : `${id} <- ${dependsOn.map(({ step }) => step).join(', ')}`,
  );
}

/** What a plan tells beside its changes. */
export function reported(plan: Plan, severity?: 'error' | 'warning' | 'note'): string[] {
  return plan.diagnostics
    .filter((diagnostic) => severity === undefined || diagnostic.severity === severity)
    .map(({ code, address, message }) => `${code} ${address ?? ''}: ${message}`);
}

/** The dangers of a plan. */
export function hazards(plan: Plan): string[] {
  return plan.hazards.map(
    ({ code, address, message, temporary }) =>
      `${code}${temporary === true ? ' (temporary)' : ''} ${address}: ${message}`,
  );
}

/** The dangers of one sort. */
export function hazardsOf(plan: Plan, code: string): string[] {
  return hazards(plan).filter((line) => line.startsWith(code));
}

/** What a plan would refuse to do. */
export function blocked(plan: Plan): string[] {
  return plan.changes.flatMap(({ address, blocked: why }) => (why === undefined ? [] : [`${why.code} ${address}`]));
}

/** The change of one address. */
export function changeOf(plan: Plan, address: Address): Change {
  const found = plan.changes.find((change) => change.address === address);
  if (found === undefined) throw new Error(`the plan says nothing of ${address}`);
  return found;
}

/** Why fields differ: `reason path`. */
export function reasons(plan: Plan, address: Address): string[] {
  return changeOf(plan, address).fields.map(({ reason, path }) => `${reason} ${path.join('.')}`);
}

const symbols: Readonly<Record<Change['action'], string>> = {
  none: '=',
  create: '+',
  update: '~',
  'replace-create-first': '±',
  'replace-delete-first': '∓',
  delete: '-',
  adopt: '>',
  forget: '.',
  'write-file': 'w',
  record: 's',
};

function withParent({ deletedWith: parent }: Change): string {
  return parent === undefined ? '' : ` with ${parent}`;
}

function lineOf({ id, dependsOn }: Step): string {
  const waits = dependsOn.map(({ step, reason }) => `${step} (${reason})`);
  return waits.length === 0 ? id : `${id} <- ${waits.join(', ')}`;
}

function shown(value: SpecValue): string {
  return JSON.stringify(value).replaceAll(/\{"ref":"([^"]+)"\}/g, '{$1}');
}

function desiredOf(address: Address, spec: SpecObject, { lifecycle = {} }: Given): Desired {
  const place = { file: 'stack.yaml', line: 1, col: 1 };
  return {
    address,
    kind: splitAddress(address).kind,
    labels: {},
    spec: { ...impliedBy(address), ...spec },
    lifecycle: lifecycle[address] ?? {},
    place,
    places: { of: () => place },
  };
}

function actualOf(
  address: Address,
  spec: SpecObject,
  { lifecycle = {}, markers = {}, ...given }: Given,
  ours: boolean,
): Actual {
  const { kind } = splitAddress(address);
  const resolved = resolveRefs({ ...impliedBy(address), ...spec }, idOf);
  const by = kinds.named(kind)?.within?.by;
  const parent = by === undefined ? undefined : resolved[by];
  const { protect = kinds.named(kind)?.protectedBecause !== undefined, on_remove } = lifecycle[address] ?? {};
  const flags = { protect, retain: on_remove === 'retain' };
  const marker = { ...makeMarker(stack, address, flags, 'nonce'), ...markers[address] };
  const isMarked = (ours && given.marker !== false && !(address in markers)) || markers[address] !== undefined;
  return {
    kind,
    id: idOf(address),
    spec: resolved,
    computed: {},
    ...(isMarked ? { marker } : {}),
    ...(typeof parent === 'string' ? { parent } : {}),
  };
}

/** A nested resource lives in what its address names first, and a name that is a match is its match. */
function impliedBy(address: Address): SpecObject {
  const { kind, name } = splitAddress(address);
  const { within } = kinds.named(kind) ?? {};
  if (within === undefined) return {};
  const [parent = '', own = ''] = name.split(/:(.*)/s);
  return {
    [within.by]: new Ref(`${within.kind}/${parent}`),
    match_type: 'path_prefix',
    ...(own.includes('/') ? { [within.key]: own } : {}),
  };
}

function stateOf({ state = {}, lifecycle = {} }: Given, { ours }: Account): State | undefined {
  if (state === 'lost') return undefined;
  const entries = [...ours].map(([address, { kind, id, spec, parent, marker }]): [Address, Entry] => [
    address,
    {
      kind,
      id,
      ...(parent === undefined ? {} : { parent }),
      spec: toState(kinds.named(kind)?.fields ?? {}, spec, digest),
      protect: lifecycle[address]?.protect ?? kinds.named(kind)?.protectedBecause !== undefined,
      retain: lifecycle[address]?.on_remove === 'retain',
      ...(marker === undefined ? {} : { nonce: 'nonce' }),
      ...state[address],
    },
  ]);
  const gone = Object.entries(state)
    .filter(([address]) => !ours.has(address))
    .map(([address, entry]): [Address, Entry] => [
      address,
      { kind: splitAddress(address).kind, id: idOf(address), spec: {}, protect: false, retain: false, ...entry },
    ]);
  return {
    format: 1,
    lineage: stack.id,
    serial: 1,
    account: 'http://127.0.0.1',
    salt: 'salt',
    entries: Object.fromEntries([...entries, ...gone]),
  };
}
