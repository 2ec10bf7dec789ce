import type { Client } from '../../src/api/client.ts';
import { ApiError } from '../../src/api/api-errors.ts';
import { isSpecObject, type SpecObject } from '../../src/kinds/value.ts';
import type { Plan, Step } from '../../src/model/plan/plan.ts';
import type { Planted } from './one-run.ts';
import type { Leg } from './prepare.ts';
import type { Cut } from './trial.ts';

/** A bug put in on purpose. */
export interface Bug {
  readonly planted: Planted;
  readonly on: { readonly server: number; readonly leg: Leg };
  /** What brings it to light: faults, or deaths at each request. */
  readonly faults?: readonly string[];
  readonly cuts?: Cut['point'];
  /** The only oracle that finds it, where there is just one. */
  readonly foundBy?: number;
}

const [completed, hiddenAndShared] = [0, 7];

/** Bugs that others have had, by what is wrong in them. */
export const bugs: Readonly<Record<string, Bug>> = {
  'a POST is repeated without looking': {
    planted: { writer: (client) => ({ ...client, write: twice(client) }) },
    on: { server: completed, leg: 'create' },
    faults: ['reset-after@POST:ReservedAddr:1'],
  },
  'no intent is written down': {
    planted: { save: (save) => (state) => save({ ...state, intents: {} }) },
    on: { server: hiddenAndShared, leg: 'create' },
    cuts: 'after-commit',
  },
  'state is saved at the end': {
    planted: { save: (save) => (state) => afterAWhile(() => save(state)) },
    on: { server: hiddenAndShared, leg: 'create' },
    cuts: 'after-answer',
  },
  'state is written in place': {
    planted: {
      save: (save, tear) => async (state) => {
        tear();
        await new Promise((done) => setTimeout(done, 30));
        await save(state);
      },
    },
    on: { server: completed, leg: 'create' },
    cuts: 'after-answer',
  },
  'the marker is ignored': {
    planted: {
      account: (account, state) => {
        const known = new Set(Object.values(state?.entries ?? {}).map(({ id }) => id));
        const ours = new Map([...account.ours].filter(([, { id }]) => known.has(id)));
        const others = [...account.ours.values()].filter(({ id }) => !known.has(id));
        return { ...account, ours, foreign: [...account.foreign, ...others] };
      },
    },
    on: { server: completed, leg: 'create' },
    cuts: 'after-commit',
  },
  'the backend comes before the access control': {
    planted: { plan: (plan) => ({ ...plan, steps: plan.steps.flatMap(controlLater) }) },
    on: { server: completed, leg: 'create' },
    faults: [],
  },
  'OPTIONS requests pass until the sign-in is complete': {
    planted: { plan: (plan) => ({ ...plan, steps: plan.steps.flatMap(exemptAtFirst) }) },
    on: { server: completed, leg: 'create' },
    faults: [],
    foundBy: 10,
  },
  'the old way in is deleted before the new one is put': {
    planted: { plan: (plan) => ({ ...plan, steps: reversed(plan, '/intranet') }) },
    on: { server: completed, leg: 'change' },
    faults: [],
  },
  'an authority is deleted while it is needed': {
    planted: {
      plan: (plan) => changed(plan, 'CertificateAuthority/partners delete', (step) => ({ ...step, dependsOn: [] })),
    },
    on: { server: completed, leg: 'change' },
    faults: [],
  },
  'what cannot be read is taken for deleted': {
    planted: {
      reader: (client) => ({
        ...client,
        get: denying(client),
        pages: (path, key) => unlessUnreadable(client, path, key),
      }),
    },
    on: { server: completed, leg: 'change' },
    faults: ['html@GET:ReservedAddr:0'],
  },
  'a short page is taken for the whole': {
    planted: {
      account: (account) => ({
        ...account,
        ours: new Map([...account.ours].filter(([address]) => !address.startsWith('EventSubscription/'))),
      }),
    },
    on: { server: completed, leg: 'change' },
    faults: [],
  },
};

function twice(client: Client): Client['write'] {
  return (request) => client.write(request).catch(() => client.write(request));
}

async function afterAWhile(save: () => Promise<void>): Promise<void> {
  setTimeout(() => void save().catch(() => undefined), 60_000);
  return Promise.resolve();
}

function denying(client: Client): Client['get'] {
  return (path) =>
    client.get(path).catch(() => {
      throw new ApiError('API_REFUSED', { method: 'GET', path }, { status: 404, msg: 'no such resource' });
    });
}

async function* unlessUnreadable(client: Client, path: string, key: string): AsyncIterable<readonly unknown[]> {
  try {
    yield* client.pages(path, key);
  } catch {
    return;
  }
}

function controlLater(step: Step): Step[] {
  const control = step.request.body?.['ip_restriction'];
  if (step.role !== 'create' || control === undefined) return [step];
  const body = Object.fromEntries(
    Object.entries(step.request.body ?? {}).filter(([name]) => name !== 'ip_restriction'),
  );
  return inTwo(step, body, { ip_restriction: control });
}

function exemptAtFirst(step: Step): Step[] {
  const signIn = step.request.body?.['oauth'];
  if (step.role !== 'create' || !isSpecObject(signIn)) return [step];
  const exempt = { ...step.request.body, oauth: { ...signIn, options_passthrough: true } };
  return inTwo(step, exempt, { oauth: signIn });
}

/** A creation, and what is only put right by an update after it. */
function inTwo(step: Step, body: SpecObject, then: SpecObject): Step[] {
  const { request } = step;
  return [
    { ...step, request: { ...request, body } },
    {
      id: `${step.id} guard`,
      address: step.address,
      role: 'update',
      request: { method: 'PATCH', path: [...request.path, '/', { idOf: step.address }], body: then },
      dependsOn: [{ step: step.id, reason: 'the resource must be created first' }],
    },
  ];
}

function reversed(plan: Plan, route: string): Step[] {
  const isMine = ({ address }: Step): boolean => address.endsWith(`:${route}`);
  const [first, second] = plan.steps.filter(isMine);
  if (first === undefined || second === undefined) throw new Error('there is nothing to reverse');
  return plan.steps.map((step) => {
    if (step === first) return { ...first, dependsOn: [{ step: second.id, reason: 'planted' }] };
    return step === second ? { ...second, dependsOn: [] } : step;
  });
}

function changed(plan: Plan, id: string, change: (step: Step) => Step): Plan {
  if (!plan.steps.some((step) => step.id === id)) throw new Error(`no step ${id}`);
  return { ...plan, steps: plan.steps.map((step) => (step.id === id ? change(step) : step)) };
}
