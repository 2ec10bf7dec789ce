import { expect, onTestFinished, test } from 'vitest';
import { libraryContext } from '../../src/stack/library-context.ts';
import { readStackConfig } from '../../src/stack/settings/stack-config.ts';
import { stackReporting } from '../../src/watch/stack-reporting.ts';
import { stack, stackFile } from '../cli/terminal.ts';
import { httpService } from '../support/http-service.ts';
import { noon, second } from './company.ts';
import { allWell, awaiting, standingBy } from './statuses.ts';

/** The reporting of a stack with these settings of `watch`, whose clock shows noon. */
async function reporting(watch = '{}', env: Readonly<Record<string, string>> = {}) {
  const context = libraryContext({ dir: await stack(undefined, `${stackFile}watch: ${watch}\n`), env });
  const open = await readStackConfig(context);
  const log: string[] = [];
  const timed = { ...context.io, now: () => noon + second };
  const made = stackReporting({ io: timed }, open, (level, event, message) =>
    log.push(`${level} ${event}: ${message}`),
  );
  onTestFinished(made.close);
  return { ...made, log };
}

test('before the first status there is none to serve', async () => {
  const { served, latest } = await reporting();
  expect(() => served.status()).toThrow('the watch has no status of the stack yet');
  expect(latest()).toBeUndefined();
});

test('the latest status is served with the time of now', async () => {
  const { served, latest, publish } = await reporting();
  publish(awaiting);
  expect(served.status()).toEqual({ ...awaiting, now: noon + second });
  publish(standingBy);
  expect([latest(), served.status().role]).toEqual([standingBy, 'standby']);
});

test('what goes wrong while it is served is logged', async () => {
  const { served, log } = await reporting();
  served.onError(new Error('no memory'));
  expect(log).toEqual(['warn server: no memory']);
});

test('an apply is counted when its record is new, not when the watch starts or publishes again', async () => {
  const { metrics, publish } = await reporting();
  const applies = () => metrics.of(allWell).find(({ name }) => name === 'sluice_applies_total')?.samples;
  const counted = (done: number) => [
    { labels: { outcome: 'done' }, value: done },
    { labels: { outcome: 'incomplete' }, value: 0 },
  ];
  const [latest] = allWell.history;
  const { startedAt, trigger, digest, approvals } = latest!;
  publish({ ...allWell, history: [] });
  publish({ ...allWell, history: [], applying: { startedAt, trigger, digest, approvals, changes: [] } });
  expect(applies()).toEqual(counted(0));
  publish({ ...allWell, history: [latest!] });
  publish({ ...allWell, history: [latest!] });
  expect(applies()).toEqual(counted(1));
  const started = await reporting();
  started.publish(allWell);
  expect(started.metrics.of(allWell).find(({ name }) => name === 'sluice_applies_total')?.samples).toEqual(counted(0));
});

test('an apply of the leader before is not counted by the process that takes over from it', async () => {
  const { metrics, publish } = await reporting();
  publish({ ...standingBy, history: [] });
  publish(allWell);
  // Its watch state could be read only after that.
  publish({ ...allWell, history: [] });
  publish(allWell);
  const { samples } = metrics.of(allWell).find(({ name }) => name === 'sluice_applies_total')!;
  expect(samples.map(({ value }) => value)).toEqual([0, 0]);
});

test('each receiver gets what it asks for, at the URL and with the secret of its variables', async () => {
  const service = await httpService((_, response) => response.writeHead(204).end());
  const receivers = [
    '{url: {from_env: SLUICE_HOOK}, secret: {from_env: SLUICE_HOOK_SECRET}, on: [action-required]}',
    '{url: {from_env: SLUICE_HOOK}, format: slack, on: [action-required]}',
    '{url: {from_env: SLUICE_NO_HOOK}, on: [action-required, failed]}',
  ];
  const { publish, log } = await reporting(`{notify: [${receivers.join(', ')}]}`, {
    SLUICE_HOOK: service.url,
    SLUICE_HOOK_SECRET: 'hunter2',
  });
  publish(awaiting);
  await expect.poll(() => service.requests.length).toBe(2);
  const isSigned = service.requests.map(({ headers }) => headers['sluice-signature'] !== undefined);
  const isSlack = service.requests.map(({ body }) => Object.hasOwn(JSON.parse(body) as object, 'blocks'));
  expect(isSigned.sort()).toEqual([false, true]);
  expect(isSlack.sort()).toEqual([false, true]);
  await expect
    .poll(() => log)
    .toEqual(['warn notify: watch.notify[2]: action-required: the URL is missing or is not an http or https URL']);
});
