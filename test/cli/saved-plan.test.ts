import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sortedJson } from '../../src/derive/sorted-json.ts';
import type { AccountData } from '../../src/emulator/account/account-data.ts';
import { expectHarmlessText } from '../render/harmless.ts';
import { company, sluice, stack, stackFile, type Ended } from './terminal.ts';

const secretly = `${company}    - {name: hooks, match_type: path_prefix, match: /hooks, backend: {backend_id: bkd_1}, webhook_verification: {provider: github, secret: {from_env: HOOK_SECRET}}}
`;
const env = { SLUICE_API_KEY: 'k3y-of-the-company', HOOK_SECRET: 'canary-of-the-hook' };

/** A stack whose plan has been saved, and the digest that was reported. */
async function saved(manifests = company): Promise<{ dir: string; digest: string; planned: Ended }> {
  const dir = await stack(manifests);
  const planned = await sluice(dir, 'plan --out approved.plan', { env });
  expect(planned.code).toBe(0);
  return { dir, digest: /sha256:[0-9a-f]{64}/.exec(planned.err)?.[0] ?? '', planned };
}

describe('a saved plan', () => {
  test('is carried out without being asked about, and leaves nothing to do', async () => {
    const { dir, digest } = await saved();
    expect((await sluice(dir, `apply approved.plan --digest ${digest}`, { env })).code).toBe(0);
    expect((await sluice(dir, 'plan --detailed-exitcode', { env })).code).toBe(0);
  });

  test('that was written to a device is not advised to be applied from there', async () => {
    const { code, err } = await sluice(await stack(), 'plan --out /dev/null', { env });
    expect(code).toBe(0);
    expect(err).toMatch(/^Saved the plan to \/dev\/null\. The digest of the plan is sha256:[0-9a-f]{64}$/m);
  });

  test('that was applied before reports that in two lines, and sends nothing', async () => {
    const { dir } = await saved();
    expect((await sluice(dir, 'apply approved.plan', { env })).code).toBe(0);
    const late = await sluice(dir, 'apply approved.plan', { env });
    expect(late).toMatchObject({
      code: 4,
      out: '',
      err: 'error: the saved plan was already applied; no changes remain\n  run `sluice plan` to see the account as it is now\n',
    });
  });

  test('shows as it was made, also when the manifests are gone', async () => {
    const { dir, digest, planned } = await saved();
    await rm(join(dir, 'manifests'), { recursive: true });
    const shown = await sluice(dir, 'show approved.plan', { env });
    expect(shown.out.startsWith(planned.out.trimEnd())).toBe(true);
    expect(shown.out).toContain(digest);
    expect(JSON.parse((await sluice(dir, 'show approved.plan --format json', { env })).out)).toMatchObject({ digest });
  });

  test('shows where and when it was made in words that act on no terminal, whoever wrote them', async () => {
    const { dir } = await saved();
    await forge(dir, (file) => {
      Object.assign(file, { saved_at: 'now\u001b[2J\n::warning::x' });
      file.bound.baseUrl = '\u202eembedded';
    });
    const { code, out } = await sluice(dir, 'show approved.plan', { env });
    expect([code, out]).toEqual([0, expect.stringContaining('Planned now\\u{1b}[2J')]);
    expectHarmlessText(out);
  });

  test('shows a hazard of the whole stack as one', async () => {
    const addresses = [1, 2, 3].map(
      (n) =>
        `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a${n}}\nlifecycle: {protect: false}\nspec: {}\n`,
    );
    const dir = await stack(addresses.join('---\n'), `${stackFile}policy: {max_deletes: 1}\n`);
    expect((await sluice(dir, 'apply --auto-approve', { env })).code).toBe(0);
    await writeFile(join(dir, 'manifests/company.yaml'), addresses[0] ?? '');
    const planned = await sluice(dir, 'plan --out fewer.plan', { env });
    expect(planned.out).toMatch(/^! MANY_DELETES {2}2 managed resources would be deleted/m);
    const shown = await sluice(dir, 'show fewer.plan', { env });
    expect(shown.out).toMatch(/^! MANY_DELETES {2}2 managed resources would be deleted/m);
    expect((await sluice(dir, 'show fewer.plan --format markdown', { env })).out).toContain('| the whole stack |');
  });

  test('shows with what was proven of it, and what was reported of the manifests, in every format', async () => {
    const dir = await stack(secretly.replace('{from_env: HOOK_SECRET}', 'written-out-here'));
    await sluice(dir, 'plan --verify --out proven.plan', { env });
    const [text, markdown, json] = await Promise.all(
      ['text', 'markdown', 'json'].map((format) => sluice(dir, `show proven.plan --format ${format}`, { env })),
    );
    expect(text?.out).toContain('verified: converges in one apply, 4 API requests\n');
    expect(markdown?.out).toContain('verified: converges in one apply, 4 API requests\n');
    expect(markdown?.out).toContain('- warning `SECRET_IN_MANIFEST` ');
    expect(JSON.parse(json?.out ?? '')).toMatchObject({
      verification: { converges: true, requests: 4 },
      diagnostics: [{ code: 'SECRET_IN_MANIFEST' }],
    });
  });

  test('is carried out when the manifests are gone', async () => {
    const { dir } = await saved(secretly);
    await rm(join(dir, 'manifests'), { recursive: true });
    expect((await sluice(dir, 'apply approved.plan', { env })).code).toBe(0);
  });

  test('is its owner’s alone and holds no secret', async () => {
    const { dir } = await saved(secretly);
    expect((await stat(join(dir, 'approved.plan'))).mode & 0o777).toBe(0o600);
    const text = await readFile(join(dir, 'approved.plan'), 'utf8');
    for (const secret of Object.values(env)) expect(text).not.toContain(secret);
  });
});

test('a plan that apply refuses is saved, and reports that', async () => {
  const { dir } = await saved();
  await writeFile(join(dir, 'sluice.yaml'), `${stackFile}policy: {block: [EXPOSES_PUBLICLY]}\n`);
  expect((await sluice(dir, 'plan --out refused.plan', { env })).err).toMatch(
    /^Saved the plan to refused\.plan\. sluice apply refuses this plan, because 1 change is blocked\. The digest of the plan is sha256:/m,
  );
});

describe('a saved plan is refused', () => {
  test('with exit 4 and what differs, when it would be another plan now', async () => {
    const { dir } = await saved();
    await sluice(dir, 'apply --auto-approve --target ReservedAddr/mqtt', { env });
    const late = await sluice(dir, 'apply approved.plan', { env });
    expect(late.code).toBe(4);
    expect(late.err).toContain('ReservedAddr/mqtt: was in the approved plan, but no longer needs a change\n');
  });

  test('in a comment that reports where it would be another plan', async () => {
    const { dir } = await saved();
    await sluice(dir, 'apply --auto-approve --target HTTPSEdge/shop --target HTTPSEdgeRoute/shop:*', { env });
    const late = await sluice(dir, 'apply approved.plan --format markdown', { env });
    expect(late.code).toBe(4);
    expect(late.out).toContain('the saved plan is stale: planning again gives a different plan; nothing was written');
    expect(late.out).toContain(
      '```\nHTTPSEdge/shop and HTTPSEdgeRoute/shop:front: were in the approved plan, but no longer need a change\n```\n',
    );
  });

  test('with exit 4 when a secret is another one by now', async () => {
    const { dir } = await saved(secretly);
    const late = await sluice(dir, 'apply approved.plan', { env: { ...env, HOOK_SECRET: 'another-canary' } });
    expect(late.code).toBe(4);
    expect(late.err).toContain('HTTPSEdgeRoute/shop:hooks');
  });

  test('when a secret is gone', async () => {
    const { dir } = await saved(secretly);
    const late = await sluice(dir, 'apply approved.plan', { env: { SLUICE_API_KEY: env.SLUICE_API_KEY } });
    expect(late.code).toBe(8);
    expect(late.err).toContain('HOOK_SECRET');
  });

  test('when a secret stood in a manifest', async () => {
    const { dir, planned } = await saved(secretly.replace('{from_env: HOOK_SECRET}', 'written-out-here'));
    expect(planned.err).toContain('warning[SECRET_NOT_IN_PLAN_FILE] manifests/company.yaml:14:');
    const late = await sluice(dir, 'apply approved.plan', { env });
    expect(late.code).toBe(8);
    expect(late.err).toContain(
      'error[SECRET_NOT_IN_PLAN_FILE] HTTPSEdgeRoute/shop:hooks: the secret at /webhook_verification/secret is written in the manifest',
    );
    expect(late.err).not.toContain('written-out-here');
  });

  test('with what was approved and what would be done now, field by field', async () => {
    const { dir } = await saved();
    expect((await sluice(dir, 'apply --auto-approve', { env })).code).toBe(0);
    await writeFile(
      join(dir, 'manifests/company.yaml'),
      company.replace('Sensors', 'Probes').replace('/, b', '/shop, b'),
    );
    expect((await sluice(dir, 'plan --out approved.plan', { env })).code).toBe(0);
    await change(dir, 'ReservedAddr', { description: 'by hand' });
    const late = await sluice(dir, 'apply approved.plan', { env });
    expect([late.code, late.err]).toEqual([
      4,
      `ReservedAddr/mqtt: differs from the approved plan
    description: approved "Sensors" -> "Probes", now "by hand" -> "Probes"
error: the saved plan is stale: planning again gives a different plan; nothing was written
  run \`sluice plan --out approved.plan\` and have the new plan approved
`,
    ]);
    const document = JSON.parse((await sluice(dir, 'apply approved.plan --format json', { env })).out) as unknown;
    expect(document).toMatchObject({
      error: {
        code: 'PLAN_IS_STALE',
        differences: [
          {
            address: 'ReservedAddr/mqtt',
            what: 'description',
            approved: '"Sensors" -> "Probes"',
            now: '"by hand" -> "Probes"',
          },
        ],
      },
    });
  });

  test('without a secret among what differs', async () => {
    const { dir } = await saved(secretly);
    expect((await sluice(dir, 'apply approved.plan', { env })).code).toBe(0);
    expect((await sluice(dir, 'plan --out approved.plan', { env })).code).toBe(0);
    await change(dir, 'HTTPSEdgeRoute', { webhook_verification: { provider: 'github', secret: 'canary-by-hand' } });
    const late = await sluice(dir, 'apply approved.plan', { env });
    expect(late.code).toBe(4);
    expect(late.err).toContain('"secret":"(secret)"} -> not set');
    expect(late.err).not.toContain('canary');
  });

  test('when it is damaged', async () => {
    const { dir } = await saved();
    const path = join(dir, 'approved.plan');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"region":"eu"', '"region":"us"'));
    const late = await sluice(dir, 'apply approved.plan', { env });
    expect(late.code).toBe(8);
    expect(late.err).toContain('the digest does not match');
  });

  test.each<[string, (file: PlanFile) => void, string]>([
    ['shows something else', ({ plan }) => (plan.changes[0] = { ...plan.changes[1] }), 'differs from the approval'],
    ['shows nothing', (file) => (file.plan = { ...file.plan, changes: [] }), 'differs from the approval'],
    ['contains no plan', (file) => (file.plan = {} as PlanFile['plan']), 'another version of sluice wrote the plan'],
    ['approves something else', ({ approved }) => approved.pop(), 'differs from the approval'],
    ['is of another form', (file) => (file.format = 'sluice-plan/2'), 'written by another version of sluice'],
    ['has more in it', (file) => (file.more = true), 'written by another version of sluice'],
  ])('when it was made to fit and %s', async (_what, change, why) => {
    const { dir } = await saved();
    await forge(dir, change);
    for (const command of ['show', 'apply']) {
      const late = await sluice(dir, `${command} approved.plan`, { env });
      expect([late.code, late.err]).toEqual([8, expect.stringContaining(why)]);
    }
  });

  test.each<[string, (file: PlanFile) => void]>([
    ['the rules that it may break', ({ run }) => (run.allow = ['rule:x'])],
    ['whether it deletes everything', ({ run }) => (run.destroying = true)],
    ['whether it does without what is missing', ({ run }) => (run.acceptMissing = true)],
    ['the commit that it is recorded as', ({ run }) => (run.commit = 'a'.repeat(40))],
    ['when it was made', (file) => (file.saved_at = '2020-01-01T00:00:00.000Z')],
    ['the text of a hazard', ({ plan }) => ((plan.hazards[0] as { message: string }).message = 'nothing to see')],
    [
      'what was proven of it',
      (file) => (file.verified = { converges: true, requests: 0, failures: [], remaining: [], assumptions: [] }),
    ],
  ])('when it was made to fit with another value of %s: the approved digest covers that too', async (_what, change) => {
    const { dir, digest } = await saved();
    await forge(dir, change);
    const late = await sluice(dir, `apply approved.plan --digest ${digest}`, { env });
    expect([late.code, late.err]).toEqual([4, expect.stringContaining(`not the approved ${digest}`)]);
    expect((await sluice(dir, 'show approved.plan', { env })).out).not.toContain(digest);
  });

  test('when it was made to fit and wants something else: that is another plan', async () => {
    const { dir, digest } = await saved();
    await forge(dir, ({ resources }) => Object.assign(resources[0]?.['spec'] ?? {}, { description: 'forged' }));
    const late = await sluice(dir, `apply approved.plan --digest ${digest}`, { env });
    expect([late.code, late.err]).toEqual([4, expect.stringContaining(`not the approved ${digest}`)]);
  });

  test.each([
    ['by another version', { version: '0.0.0-other' }, 'was made by sluice 0.0.0-other, but this is sluice 0.0.0-test'],
    ['for another service', { baseUrl: 'https://api.example.com' }, 'for the service at https://api.example.com'],
    ['for another stack', { stack: 'other/00000000' }, 'stack other/00000000, but this is the stack company/5c1e7a90'],
  ])('when it was made %s', async (_what, bound, why) => {
    const { dir } = await saved();
    await forge(dir, (file) => Object.assign(file.bound, bound));
    const late = await sluice(dir, 'apply approved.plan', { env });
    expect([late.code, late.err]).toEqual([8, expect.stringContaining(why)]);
  });

  test('when it is not the one that was approved', async () => {
    const { dir } = await saved();
    const late = await sluice(dir, `apply approved.plan --digest sha256:${'0'.repeat(64)}`, { env });
    expect(late.code).toBe(4);
    expect(late.err).toContain('not the approved');
  });

  test('in another stack', async () => {
    const { dir } = await saved();
    const file = join(dir, 'sluice.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('5c1e7a90', '00000000'));
    expect((await sluice(dir, 'apply approved.plan', { env })).code).toBe(8);
  });
});

describe('what was passed to the run that planned', () => {
  const blocking = `${stackFile}policy: {block: [LOSES_ADDRESS]}\n`;
  const withoutAddress = company.slice(company.indexOf('---'));

  test('is kept: a hazard that was allowed', async () => {
    const dir = await stack(company, blocking);
    await sluice(dir, 'apply --auto-approve', { env });
    await writeFile(join(dir, 'manifests/company.yaml'), withoutAddress);
    await sluice(dir, 'plan --out blocked.plan', { env });
    expect((await sluice(dir, 'apply blocked.plan', { env })).code).toBe(3);
    await sluice(dir, 'plan --allow LOSES_ADDRESS --out allowed.plan', { env });
    expect((await sluice(dir, 'apply allowed.plan', { env })).code).toBe(0);
  });

  test('is kept: a policy that grew stricter since is one that was not approved', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve', { env });
    await writeFile(join(dir, 'manifests/company.yaml'), withoutAddress);
    await sluice(dir, 'plan --out approved.plan', { env });
    await writeFile(join(dir, 'sluice.yaml'), blocking);
    const late = await sluice(dir, 'apply approved.plan', { env });
    expect(late.code).toBe(4);
    expect(late.err).toContain('    blocked: approved none, now POLICY\n');
  });

  test.each(['-l team=web', '--target HTTPSEdge/shop'])('is kept: %s', async (narrow) => {
    const dir = await stack();
    await sluice(dir, `plan ${narrow} --out part.plan`, { env });
    expect((await sluice(dir, 'apply part.plan', { env })).code).toBe(0);
    const { out } = await sluice(dir, 'plan', { env });
    expect(out).toContain('+ ReservedAddr/mqtt');
    expect(out).not.toContain('+ HTTPSEdge/shop');
  });

  test('is kept: that an address which the manifests no longer have is to go', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve', { env });
    await writeFile(join(dir, 'manifests/company.yaml'), withoutAddress);
    await sluice(dir, 'plan --target ReservedAddr/mqtt --out gone.plan', { env });
    const { out } = await sluice(dir, 'apply gone.plan', { env });
    expect(out).toContain('Applied: 1 deleted; 1 API request.');
  });

  test('is not to be reported again', async () => {
    const { dir } = await saved();
    for (const flag of ['--allow LOSES_ADDRESS', '-l team=web', '--target HTTPSEdge/shop', '--resend-secrets']) {
      const late = await sluice(dir, `apply approved.plan ${flag}`, { env });
      expect([late.code, late.err]).toEqual([8, expect.stringContaining('cannot be used with a saved plan')]);
    }
  });
});

test('a secret from a file beside its manifest is found again from wherever that is', async () => {
  const dir = await stack();
  const team = secretly
    .slice(secretly.indexOf('kind: HTTPSEdge'))
    .replace('{from_env: HOOK_SECRET}', '{from_file: hook.txt}');
  await mkdir(join(dir, 'manifests/team'));
  await writeFile(join(dir, 'manifests/company.yaml'), company.slice(0, company.indexOf('---')));
  await writeFile(join(dir, 'manifests/team/shop.yaml'), `apiVersion: sluice/v1\n${team}`);
  await writeFile(join(dir, 'manifests/team/hook.txt'), 'canary-in-a-file\n');
  expect((await sluice(dir, 'plan --out approved.plan', { env })).code).toBe(0);
  await rm(join(dir, 'manifests/team/shop.yaml'));
  expect((await sluice(dir, 'apply approved.plan', { env })).code).toBe(0);
});

/** A plan file, as far as these tests forge one. */
interface PlanFile {
  run: { allow: string[]; destroying?: boolean; acceptMissing: boolean; commit?: string };
  saved_at: string;
  verified?: object;
  format: string;
  bound: { stack: string; baseUrl: string; version: string };
  resources: Record<string, unknown>[];
  plan: { changes: object[]; hazards: object[] };
  approved: [string, string][];
  more?: boolean;
}

/** Changes a saved plan and has its checksum fit again, as somebody would who knows how. */
async function forge(dir: string, change: (file: PlanFile) => unknown): Promise<void> {
  const path = join(dir, 'approved.plan');
  const { digest: _, ...file } = JSON.parse(await readFile(path, 'utf8')) as PlanFile & { digest: string };
  change(file);
  const digest = `sha256:${createHash('sha256').update(sortedJson(file)).digest('hex')}`;
  await writeFile(path, JSON.stringify({ ...file, digest }));
}

/** Changes what the account kept beside the stack holds of the last resource of a kind. */
async function change(dir: string, kind: string, spec: object): Promise<void> {
  const path = join(dir, '.sluice/emulator.json');
  const account = JSON.parse(await readFile(path, 'utf8')) as AccountData;
  const last = account.resources.findLast((resource) => resource.kind === kind);
  const resources = account.resources.map((one) => (one === last ? { ...one, spec: { ...one.spec, ...spec } } : one));
  await writeFile(path, JSON.stringify({ ...account, resources }));
}

/** Edits of the manifests between plan and apply do not matter: what was approved is in the file. */
test('what the manifests say later does not matter', async () => {
  const { dir } = await saved();
  await writeFile(join(dir, 'manifests/company.yaml'), company.replace('Sensors', 'Other'));
  expect((await sluice(dir, 'apply approved.plan', { env })).code).toBe(0);
  const rest = await sluice(dir, 'plan --detailed-exitcode', { env });
  expect(rest.code).toBe(2);
});
