/*
 * Properties of every plan, over small stacks that change in every way at once: edges, routes, matches, hostports,
 * access controls, authorities, protection of none.
 */
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import type { SpecObject } from '../../src/kinds/value.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import { planStack } from '../../src/plan/plan.ts';
import { sampleSize } from '../support/samples.ts';
import { backend, inputOf, ipRestriction, oauth, oidc, to, type Given, type Specs } from './support.ts';

const modules: readonly SpecObject[] = [{}, backend, oauth, oidc, ipRestriction, { compression: {} }];
const several: Arbitrary<SpecObject> = fc
  .subarray([...modules])
  .filter((chosen) => !(chosen.includes(oauth) && chosen.includes(oidc)))
  .map((chosen) => Object.assign({}, ...chosen) as SpecObject);

const anySpecs: Arbitrary<Specs> = fc
  .record({
    hosts: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.uniqueArray(fc.nat(3), { maxLength: 2 }), { maxKeys: 3 }),
    trusting: fc.subarray(['a', 'b', 'c']),
    routes: fc.array(
      fc.record({ edge: fc.constantFrom('a', 'b', 'c'), name: fc.nat(2), match: fc.nat(3), spec: several }),
      {
        maxLength: 5,
      },
    ),
    pem: fc.constantFrom('one', 'two'),
  })
  .map(({ hosts, trusting, routes, pem }) => stackOf(hosts, trusting, routes, pem));

// A valid stack: no hostport and no match twice.
function stackOf(
  hosts: Readonly<Record<string, readonly number[]>>,
  trusting: readonly string[],
  routes: readonly { edge: string; name: number; match: number; spec: SpecObject }[],
  ca_pem: string,
): Specs {
  const taken = new Set<string>();
  const once = (value: string): boolean => !taken.has(value) && taken.add(value).has(value);
  const trust = { mutual_tls: { certificate_authority_ids: [to('CertificateAuthority/ca')] } };
  const edges = Object.entries(hosts).map(([name, numbers]): [string, SpecObject] => [
    `HTTPSEdge/${name}`,
    {
      hostports: numbers.map((number) => `h${String(number)}.example.com:443`).filter(once),
      ...(trusting.includes(name) ? trust : {}),
    },
  ]);
  const inside = routes
    .filter(({ edge, match }) => Object.hasOwn(hosts, edge) && once(`${edge} ${String(match)}`))
    .map(({ edge, name, match, spec }): [string, SpecObject] => [
      `HTTPSEdgeRoute/${edge}:r${String(name)}`,
      { match: ['/', '/a', '/a/b', 'h0.example.com/a'][match] ?? '/', ...spec },
    ]);
  return { 'CertificateAuthority/ca': { ca_pem }, ...Object.fromEntries([...edges, ...inside]) };
}

const anyGiven: Arbitrary<Given> = fc.record(
  {
    wanted: anySpecs,
    ours: anySpecs,
    profile: fc.constantFrom('completed', 'documented'),
    state: fc.constantFrom('lost' as const, {}),
  },
  { requiredKeys: ['wanted', 'ours'] },
);

test('what a step waits for is listed before it, and no two steps share a name', () => {
  fc.assert(
    fc.property(anyGiven, (given) => {
      const seen = new Set<string>();
      for (const { id, dependsOn } of planStack(inputOf(given)).steps) {
        expect(seen).not.toContain(id);
        for (const { step } of dependsOn) expect(seen, `before ${id}`).toContain(step);
        seen.add(id);
      }
    }),
    { numRuns: sampleSize(150, 400) },
  );
});

test('in whatever order things were read, the plan is the same (law 8)', () => {
  fc.assert(
    fc.property(anyGiven, (given) => {
      const input = inputOf(given);
      expect(planStack(backwards(input))).toEqual(planStack(input));
    }),
    { numRuns: sampleSize(75, 200) },
  );
});

test('every change has its requests, or goes with another, or needs none', () => {
  fc.assert(
    fc.property(anyGiven, (given) => {
      const plan = planStack(inputOf(given));
      for (const { address, action, deletedWith } of plan.changes) {
        const roles = plan.steps.filter((step) => step.address === address).map(({ role }) => role);
        expect(roles.length > 0, `${action} ${address}`).toBe(
          !['none', 'record'].includes(action) && !(action === 'delete' && deletedWith !== undefined),
        );
        expect(roles.filter((role) => role === 'create').length).toBeLessThanOrEqual(1);
        expect(roles.filter((role) => role === 'delete').length).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: sampleSize(75, 200) },
  );
});

function backwards({ desired, account, state, ...rest }: PlanInput): PlanInput {
  return {
    ...rest,
    desired: {
      ...desired,
      resources: [...desired.resources].reverse().map((one) => ({ ...one, spec: reversed(one.spec) })),
    },
    account: { ...account, ours: new Map([...account.ours].reverse()), foreign: [...account.foreign].reverse() },
    state:
      state === undefined
        ? undefined
        : { ...state, entries: Object.fromEntries(Object.entries(state.entries).reverse()) },
  };
}

// Keys of a spec and hostports in the other order; what is printed of them is compared as it means.
function reversed(spec: SpecObject): SpecObject {
  return Object.fromEntries(Object.entries(spec).reverse());
}
