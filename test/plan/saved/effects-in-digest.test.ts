import { expect, test } from 'vitest';
import type { SpecObject } from '../../../src/kinds/value.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { comparable } from '../../../src/plan/saved/comparable.ts';
import { differences } from '../../../src/plan/saved/differences.ts';
import { backend, digest, hazardsOf, ipRestriction, planOf, type Specs } from '../support.ts';

const edge: Specs = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
const desk = 'HTTPSEdgeRoute/shop:/desk';
const guests = (...email_domains: string[]) => ({ oauth: { provider: { google: { email_domains } } } });

/** A plan that deletes a strictly protected route, whose requests go to a route of nobody then. */
function deletion(below: SpecObject): Plan {
  return planOf({
    wanted: edge,
    ours: { ...edge, [desk]: { ...backend, ...guests('a.com'), ...ipRestriction } },
    foreign: { 'HTTPSEdgeRoute/shop:/': { ...backend, ...below } },
  });
}

const approved = deletion(guests('a.com'));

function differing(now: Plan) {
  return differences(comparable(approved, digest), comparable(now, digest));
}

test('the same deletion that opens access to others is another plan', () => {
  for (const below of [{ oauth: { provider: { google: {} } } }, guests('a.com', 'b.com'), {}]) {
    const now = deletion(below);
    expect(hazardsOf(now, 'OPENS_ACCESS').length).toBeGreaterThan(0);
    expect(differing(now)).toContainEqual({
      address: desk,
      what: 'access',
      approved: 'https://shop.example.com/desk…',
      now: 'https://shop.example.com/desk… (with other access control)',
    });
  }
});

test('the same deletion that opens other URLs is another plan', () => {
  const hosts: Specs = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443', 'www.example.com:443'] } };
  const elsewhere = planOf({
    wanted: hosts,
    ours: { ...hosts, [desk]: { ...backend, ...guests('a.com'), ...ipRestriction } },
    foreign: { 'HTTPSEdgeRoute/shop:/': { ...backend, ...guests('a.com') } },
  });
  expect(differing(elsewhere)).toContainEqual({
    address: desk,
    what: 'access',
    approved: undefined,
    now: 'https://www.example.com/desk…',
  });
});

test('another order or spelling of what somebody else has is the same plan, and so is one that is made again', () => {
  const both = deletion(guests('a.com', 'b.com'));
  expect(comparable(deletion(guests('B.com', 'a.com')), digest)).toEqual(comparable(both, digest));
  expect(differing(deletion(guests('a.com')))).toEqual([]);
});

test('texts of hazards do not count', () => {
  const hazards = approved.hazards.map((hazard) => ({ ...hazard, message: 'other', asked: { before: '', after: '' } }));
  expect(differing({ ...approved, hazards })).toEqual([]);
});

test('a route of somebody else that nothing happens to does not count', () => {
  const more = planOf({
    wanted: edge,
    ours: { ...edge, [desk]: { ...backend, ...guests('a.com'), ...ipRestriction } },
    foreign: {
      'HTTPSEdgeRoute/shop:/': { ...backend, ...guests('a.com') },
      'HTTPSEdgeRoute/shop:/desk/all': { ...backend, ...guests('a.com') },
    },
  });
  expect(differing(more)).toEqual([]);
});

test('a route that opens a backend that was behind another sign-in is another plan', () => {
  const blog = 'HTTPSEdgeRoute/shop:/blog';
  const route = 'HTTPSEdgeRoute/shop:/admin';
  const opened = (...before: SpecObject[]): Plan =>
    planOf({
      wanted: { ...edge, [blog]: backend },
      ours: edge,
      foreign: Object.fromEntries(before.map((own, index) => [`${route}${index}`, { ...backend, ...own }])),
    });
  const ofGuests = opened(guests('a.com'));
  expect(hazardsOf(ofGuests, 'OPENS_ACCESS')).toHaveLength(1);
  const apart = (now: Plan) => differences(comparable(ofGuests, digest), comparable(now, digest));
  const other = {
    address: blog,
    what: 'access',
    approved: 'https://shop.example.com/blog…',
    now: 'https://shop.example.com/blog… (with other access control)',
  };
  expect(apart(opened(guests('b.com')))).toEqual([other]);
  expect(apart(opened({ ...guests('a.com'), ...ipRestriction }))).toContainEqual(other);
  expect(apart(opened(guests('A.com'), guests('a.com')))).toEqual([]);
});

test('the same hostport that opens another backend is another plan', () => {
  const front = (hostports: readonly string[]) => ({ ...edge, 'HTTPSEdge/front': { hostports } });
  const opened = (backend_id: string): Plan =>
    planOf({
      ours: front([]),
      wanted: front(['front.example.com:443']),
      foreign: {
        'HTTPSEdgeRoute/front:/': { backend: { backend_id } },
        'HTTPSEdgeRoute/shop:/inner': { backend: { backend_id }, ...guests('a.com') },
      },
    });
  const [one, other] = [opened('bkdhr_x'), opened('bkdhr_y')];
  expect(hazardsOf(one, 'OPENS_ACCESS')).toHaveLength(1);
  expect(differences(comparable(one, digest), comparable(other, digest))).toMatchObject([
    { address: 'HTTPSEdge/front', what: 'access' },
  ]);
});

test('what a copy of a plan, or its text, is compared by is the same', () => {
  const opening = planOf({
    wanted: { ...edge, 'HTTPSEdgeRoute/shop:/blog': backend },
    ours: edge,
    foreign: { 'HTTPSEdgeRoute/shop:/admin': { ...backend, ...guests('a.com') } },
  });
  for (const plan of [approved, opening]) {
    const copies = [
      plan.hazards.map((hazard) => ({ ...hazard })),
      structuredClone(plan.hazards),
      JSON.parse(JSON.stringify(plan.hazards)) as Plan['hazards'],
    ];
    expect(plan.hazards.flatMap(({ effects = [] }) => effects)).not.toEqual([]);
    for (const hazards of copies) expect(comparable({ ...plan, hazards }, digest)).toEqual(comparable(plan, digest));
  }
});
