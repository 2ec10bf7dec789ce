import { mkdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { isEmptyPlan, openStack, type OpenStackOptions, type OpenedStack, type PlanOptions } from '../../src/index.ts';
import { gitStack } from '../support/git-stack.ts';
import { company, directory, sluice, stackFile } from '../cli/terminal.ts';

const restricted = company.replace(
  'backend: {backend_id: bkd_1}',
  'backend: {backend_id: bkd_1}, oauth: {provider: {google: {email_domains: [example.com]}}}',
);

test('a plan is applied once, recorded in state, and the next plan is empty', async () => {
  const { dir, stack } = await opened({ writes: true });
  const plan = await stack.plan();
  expect(plan.changes.map(({ address, action }) => `${action} ${address}`)).toEqual([
    'create HTTPSEdge/shop',
    'create HTTPSEdgeRoute/shop:front',
    'create ReservedAddr/mqtt',
  ]);
  const finished: string[] = [];
  const outcome = await stack.apply(plan, (event) => {
    if (event.type === 'finished') finished.push(event.outcome.address);
  });
  expect(finished).toHaveLength(3);
  expect(outcome.changes.map(({ ending }) => ending)).toEqual(['done', 'done', 'done']);

  await expect(stack.apply(plan)).rejects.toMatchObject({ code: 'PLAN_IS_STALE' });
  expect(isEmptyPlan(await stack.plan())).toBe(true);
  await stack.close();
  expect(JSON.parse(await readFile(join(dir, '.sluice/state.json'), 'utf8'))).toMatchObject({
    written_by: { command: 'library' },
    entries: { 'ReservedAddr/mqtt': {} },
  });
  expect(await sluice(dir, 'plan --detailed-exitcode')).toMatchObject({ code: 0 });
});

test('each plan is of the commit that is checked out when it is made, and is recorded as that', async () => {
  const { dir, commit } = await gitStack({ 'sluice.yaml': stackFile, 'manifests/shop.yaml': company });
  const stack = await openStack({ dir, env: process.env, writes: true });
  onTestFinished(stack.close);
  await stack.apply(await stack.plan());
  const second = commit({ 'manifests/shop.yaml': company.replace('Sensors', 'Meters') });
  const plan = await stack.plan();
  commit({});
  await stack.apply(plan);
  await stack.close();
  expect(JSON.parse(await readFile(join(dir, '.sluice/state.json'), 'utf8'))).toMatchObject({
    applied: { commit: second },
  });
  const { out } = await sluice(dir, 'history --format json');
  expect(JSON.parse(out)).toMatchObject({ runs: [{ commit: second, uncommitted: false }, {}] });
});

test('only the latest plan of the stack can be applied, not an earlier one or one of another stack', async () => {
  const { stack } = await opened({ writes: true });
  const { stack: other } = await opened({ writes: true });
  const earlier = await stack.plan();
  const latest = await stack.plan();
  for (const plan of [earlier, await other.plan()])
    await expect(stack.apply(plan)).rejects.toMatchObject({ name: 'Stale', code: 'PLAN_IS_STALE' });
  expect(stack.digest(earlier)).toBe(stack.digest(latest));
  expect((await stack.apply(latest)).requests).toBeGreaterThan(0);
});

test('a stack opened without its lock plans, and cannot apply', async () => {
  const { stack } = await opened({});
  const plan = await stack.plan();
  await expect(stack.apply(plan)).rejects.toMatchObject({ name: 'Refused', code: 'LOCK_REQUIRED' });
});

test.each(['close', 'plan'] as const)(
  'an apply whose stack cannot be closed afterwards has its outcome all the same; the next %s reports that',
  async (next) => {
    const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/shop.yaml': company });
    const stack = await openStack({ dir, env: {}, writes: true });
    const plan = await stack.plan();
    const outcome = await stack.apply(plan, () => mkdirSync(join(dir, '.sluice/emulator.json'), { recursive: true }));
    expect(outcome.changes.map(({ ending }) => ending)).toEqual(['done', 'done', 'done']);
    await expect(stack[next]()).rejects.toThrow('emulator.json cannot be written');
    await rm(join(dir, '.sluice/emulator.json'), { recursive: true });
    if (next === 'plan') await stack.close();
    const again = await openStack({ dir, env: {}, writes: true });
    await again.close();
  },
);

test('the lock is the one of the commands, and close releases it', async () => {
  const { dir, stack } = await opened({ writes: true });
  expect(await sluice(dir, 'apply --auto-approve')).toMatchObject({ code: 5 });
  await expect(openStack({ dir, env: {}, writes: true })).rejects.toMatchObject({ name: 'LockHeld' });
  await stack.close();
  expect(await sluice(dir, 'apply --auto-approve')).toMatchObject({ code: 0 });
});

test('a closed stack neither plans nor applies, also where the call is made while it closes, and can be closed again', async () => {
  const closed = {
    name: 'UsageError',
    message: '`close` was called on this stack',
    hint: 'open the stack again with `openStack`',
  };
  const { dir, stack } = await opened({ writes: true });
  const plan = await stack.plan();
  const closing = stack.close();
  await expect(stack.plan()).rejects.toMatchObject(closed);
  await expect(stack.apply(plan)).rejects.toMatchObject(closed);
  await closing;
  const other = await openStack({ dir, env: {}, writes: true });
  onTestFinished(other.close);
  await stack.close();
  await expect(stack.plan()).rejects.toMatchObject(closed);
  expect((await other.apply(await other.plan())).interrupted).toBe(false);
  expect(stack.digest(plan)).toMatch(/^sha256:/);
});

test('a hazard that the policy blocks is in the plan, and apply refuses it unless it is allowed', async () => {
  const policy = `${stackFile}policy: {block: [OPENS_ACCESS]}\n`;
  const { dir, stack } = await opened({ writes: true }, { 'sluice.yaml': policy, 'manifests/shop.yaml': restricted });
  await stack.apply(await stack.plan());
  await writeFile(join(dir, 'manifests/shop.yaml'), company);

  const plan = await stack.plan();
  expect(plan.hazards).toMatchObject([
    { code: 'EXPOSES_PUBLICLY', address: 'HTTPSEdge/shop' },
    { code: 'OPENS_ACCESS', address: 'HTTPSEdgeRoute/shop:front' },
  ]);
  await expect(stack.apply(plan)).rejects.toMatchObject({ name: 'Refused', code: 'BLOCKED' });
  const allowed = await stack.plan({ allow: ['OPENS_ACCESS'] });
  expect((await stack.apply(allowed)).changes.find(({ action }) => action !== 'none')?.ending).toBe('done');
});

test('manifests that define nothing delete nothing', async () => {
  const { dir, stack } = await opened({ writes: true });
  await stack.apply(await stack.plan());
  await rm(join(dir, 'manifests/shop.yaml'));
  await writeFile(join(dir, 'manifests/empty.yaml'), '');
  await expect(stack.plan()).rejects.toMatchObject({
    name: 'Refused',
    code: 'NO_RESOURCES_DEFINED',
    hint: 'to delete them all, run `sluice destroy` or use `allowEmpty`',
  });
});

test('errors in manifests are thrown together, warnings are passed on', async () => {
  const wrong = company.replace('region: eu', 'region: eu, colour: red').replace('match: /,', 'mach: /,');
  const { stack } = await opened({}, { 'manifests/shop.yaml': wrong });
  const error: unknown = await stack.plan().catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name: 'InvalidInput' });
  expect((error as { diagnostics: unknown[] }).diagnostics.length).toBeGreaterThan(1);
});

test('secrets that cannot be verified are refused where they must be, until they are sent again', async () => {
  const service = await createEmulator({ secrets: 'masked' }).listen({});
  onTestFinished(service.close);
  const env = { SLUICE_BASE_URL: service.url, SLUICE_API_KEY: 'k3y' };
  const secret = 'webhook_verification: {provider: github, secret: s3cret-of-the-tests}';
  const { dir, stack } = await opened(
    { writes: true, env },
    { 'manifests/shop.yaml': company.replace('bkd_1}', `bkd_1}, ${secret}`) },
  );
  await stack.apply(await stack.plan());
  await stack.close();
  await rm(join(dir, '.sluice'), { recursive: true });
  const again = await openStack({ dir, env, writes: true });
  onTestFinished(() => again.close());
  const plan = await again.plan({ requireVerifiedSecrets: true });
  await expect(again.apply(plan)).rejects.toMatchObject({ code: 'SECRETS_NOT_VERIFIED' });
  const resent = await again.plan({ requireVerifiedSecrets: true, resendSecrets: true });
  await expect(again.apply(resent)).resolves.toMatchObject({ interrupted: false });
});

test('a stack without manifests cannot be planned', async () => {
  const { stack } = await opened({}, { 'sluice.yaml': stackFile.replace('[manifests]', '[]') });
  await expect(stack.plan()).rejects.toThrow('no manifests are configured');
});

test.each<[PlanOptions, string]>([
  [{ target: ['HTTPSEdge/nothing'] }, '`target`: "HTTPSEdge/nothing" is in neither the manifests nor the account'],
  [{ target: ['AgentIngress/*'] }, '`target`: "AgentIngress/*" matches no resource in the manifests'],
  [{ selector: 'team=nobody' }, '`selector`: no resource in the manifests has the labels team=nobody'],
])('an error about %j names the option, not the flag of the command', async (options, message) => {
  const { stack } = await opened({});
  await expect(stack.plan(options)).rejects.toMatchObject({ name: 'UsageError', message });
});

test('where there is no stack, the hint names `dir`', async () => {
  await expect(openStack({ dir: await directory(), env: {} })).rejects.toMatchObject({
    name: 'UsageError',
    hint: 'run `sluice init` to create a stack, or set `dir` to the directory of one',
  });
});

test('what another stack of the account has already is an error, and no plan', async () => {
  const service = await createEmulator().listen({});
  onTestFinished(service.close);
  const env = { SLUICE_BASE_URL: service.url, SLUICE_API_KEY: 'k3y' };
  const { stack } = await opened({ writes: true, env });
  await stack.apply(await stack.plan());
  const other = await opened(
    { env },
    { 'sluice.yaml': stackFile.replace('name: company, id: 5c1e7a90', 'name: web, id: 7f3a9c21') },
  );
  await expect(other.stack.plan()).rejects.toMatchObject({
    name: 'InvalidInput',
    diagnostics: [{ code: 'ALREADY_EXISTS_UNMANAGED', address: 'HTTPSEdge/shop' }],
  });
});

test('the key is sent to no address that the environment of a pipeline does not confirm', async () => {
  const elsewhere = stackFile.replace('embedded', 'https://elsewhere.example.org');
  const dir = await directory({ 'sluice.yaml': elsewhere, 'manifests/shop.yaml': company });
  const env = { CI: 'true', SLUICE_API_KEY: 'key_canary' };
  await expect(openStack({ dir, env, writes: true })).rejects.toMatchObject({
    diagnostics: [{ code: 'ORIGIN_NOT_TRUSTED' }],
  });
});

test('once the signal has aborted, no request is sent', async () => {
  const stop = new AbortController();
  const { stack } = await opened({ writes: true, signal: stop.signal });
  const plan = await stack.plan();
  stop.abort();
  const outcome = await stack.apply(plan);
  expect(outcome).toMatchObject({ interrupted: true, requests: 0 });
  expect(new Set(outcome.changes.map(({ ending }) => ending))).toEqual(new Set(['not-started']));
});

async function opened(
  options: Partial<OpenStackOptions>,
  files: Readonly<Record<string, string>> = {},
): Promise<{ readonly dir: string; readonly stack: OpenedStack }> {
  const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/shop.yaml': company, ...files });
  const stack = await openStack({ dir, env: {}, ...options });
  onTestFinished(() => stack.close());
  return { dir, stack };
}
