import { describe, expect, test } from 'vitest';
import type { SpecObject } from '../../src/kinds/value.ts';
import type { Lifecycle } from '../../src/model/resource.ts';
import { comparable } from '../../src/plan/saved/comparable.ts';
import { planStack } from '../../src/plan/plan.ts';
import { blocked, changeOf, changes, digest, hazards, inputOf, planOf, requests, type Given } from './support.ts';

const address = 'SSHHostCertificate/bastion';
const path = 'ssh/bastion-cert.pub';
const spec = { ssh_certificate_authority_id: 'sshca_hosts', public_key: 'ssh-ed25519 AAAA', principals: ['bastion'] };
const end = Date.parse('2026-06-01T00:00:00Z');
const [hour, day] = [3_600_000, 86_400_000];

/** A certificate that ends in June, at a moment so long before that. */
function before(ms: number, lifecycle: Lifecycle = { renew_before: 30 * 86_400 }, more: Partial<Given> = {}): Given {
  const ours: SpecObject = { ...spec, valid_until: '2026-06-01T00:00:00Z' };
  return {
    wanted: { [address]: spec },
    ours: { [address]: ours },
    lifecycle: { [address]: lifecycle },
    input: { now: end - ms },
    ...more,
  };
}

describe('what is issued for a while', () => {
  test.each([
    [12.5 * day, 'renewed because the certificate expires in 12 days'],
    [30 * day, 'renewed because the certificate expires in 30 days'],
    [1.5 * day, 'renewed because the certificate expires in 1 day'],
    [day, 'renewed because the certificate expires in 1 day'],
    [day - 1, 'renewed because the certificate expires in 23 hours'],
    [hour, 'renewed because the certificate expires in 1 hour'],
    [hour - 1, 'renewed because the certificate expires in 59 minutes'],
    [5 * hour, 'renewed because the certificate expires in 5 hours'],
    [90_000, 'renewed because the certificate expires in 1 minute'],
    [0, 'renewed because the certificate expired 0 minutes ago'],
    [-3 * day, 'renewed because the certificate expired 3 days ago'],
  ])('is replaced %d ms before its end: %s', (ms, why) => {
    const plan = planOf(before(ms));
    expect(changes(plan)).toEqual([`± ${address}`]);
    expect(changeOf(plan, address)).toMatchObject({ why: [why], isRenewal: true });
    expect(hazards(plan)).toEqual([
      `REISSUES_CREDENTIAL ${address}: a new credential is issued, and the old credential stops working`,
    ]);
    expect(requests(plan).map((line) => line.split(' ')[0])).toEqual(['POST', 'DELETE']);
  });

  test.each<[string, Given]>([
    ['it is not due yet', before(30 * day + 1)],
    ['nobody asked for it', before(0, {})],
    ['the run judges nothing by time', before(0, { renew_before: 86_400 }, { input: {} })],
    ['the service tells no end', before(0, { renew_before: 86_400 }, { ours: { [address]: spec } })],
    ['its end is no time', before(0, { renew_before: 86_400 }, { ours: { [address]: { ...spec, valid_until: '?' } } })],
  ])('is left alone when %s', (_when, given) => {
    expect(changes(planOf(given))).toEqual([]);
  });

  test('is replaced for another reason than its end, and that is no renewal', () => {
    const plan = planOf(before(90 * day, {}, { wanted: { [address]: { ...spec, principals: ['other'] } } }));
    expect(changes(plan)).toEqual([`± ${address}`]);
    expect(changeOf(plan, address)).not.toHaveProperty('isRenewal');
  });

  test('is adopted as it is, though it is due', () => {
    const lifecycle = { renew_before: 30 * 86_400, adopt: 'shcrt_bastion' };
    const given = { ...before(day, lifecycle), ours: {}, foreign: before(day).ours ?? {} };
    expect(changes(planOf(given))).toEqual([`> ${address}`]);
  });

  test('is not replaced while it is protected', () => {
    expect(blocked(planOf(before(day, { renew_before: 30 * 86_400, protect: true })))).toEqual([
      `PROTECTED ${address}`,
    ]);
  });

  test('is asked for with a period, so that plans of different moments are equal', () => {
    const lifecycle = { valid_for: 90 * 86_400, renew_before: 30 * 86_400 };
    const [early, late] = [planOf(before(20 * day, lifecycle)), planOf(before(day, lifecycle))];
    expect(early.steps[0]?.request.validFor).toEqual({ field: 'valid_until', seconds: 7_776_000 });
    expect(early.steps[0]?.request.body).not.toHaveProperty('valid_until');
    expect(comparable(late, digest)).toEqual(comparable(early, digest));
    expect([early.now, late.now]).toEqual([end - 20 * day, end - day]);
    const other = planOf(before(day, { ...lifecycle, valid_for: 60 * 86_400 }));
    expect(comparable(other, digest)).not.toEqual(comparable(early, digest));
  });
});

describe('the file of what is issued', () => {
  const lifecycle = { certificate_file: path };

  /** The plan where the file holds this and the service shows this certificate. */
  function planWith(held: string | undefined, certificate: string, more: Partial<Given> = {}) {
    const input = inputOf(before(60 * day, lifecycle, more));
    const ours = [...input.account.ours].map(([at, actual]) => [at, { ...actual, computed: { certificate } }] as const);
    const account = { ...input.account, ours: new Map(ours) };
    return planStack({ ...input, account, files: new Map([[path, held]]) });
  }

  test.each([
    ['missing', undefined],
    ['different', 'ssh-ed25519-cert-v01@openssh.com OLD\n'],
    ['different', 'CERT'],
  ] as const)('is written when it is %s, without a request', (why, held) => {
    const plan = planWith(held, 'CERT');
    expect(changes(plan)).toEqual([`w ${address}`]);
    expect(plan.steps).toEqual([]);
    expect(plan.files).toEqual([{ address, path, reason: why, text: 'CERT\n' }]);
  });

  test('is left alone when it holds the certificate, or there is none', () => {
    expect(changes(planWith('CERT\n', 'CERT'))).toEqual([]);
    expect(changes(planWith(undefined, ''))).toEqual([]);
  });

  test('is written beside a change of another sort', () => {
    const plan = planWith(undefined, 'CERT', { wanted: { [address]: { ...spec, description: 'Gate' } } });
    expect(changes(plan)).toEqual([`~ ${address}`]);
    expect(plan.files).toHaveLength(1);
  });

  test('holds what is issued, once it is', () => {
    const plan = planStack({ ...inputOf(before(0, lifecycle, { ours: {} })), files: new Map() });
    expect(plan.files).toEqual([{ address, path, reason: 'issued' }]);
  });

  test('is of no concern to a run that looks at no files', () => {
    expect(planOf(before(0, lifecycle, { ours: {} })).files).toEqual([]);
  });
});
