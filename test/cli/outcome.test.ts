/*
 * Law 10: one run that ends in each of the five ways, and everything that tells of it says the same.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Refusal, refusalAnswer } from '../../src/emulator/answer.ts';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { eventJsonSchema, type EventJson } from '../../src/render/outcome/event-json-schema.ts';
import { outcomeJsonSchema, type OutcomeJson } from '../../src/render/outcome/outcome-json-schema.ts';
import { sluice, stack, stackFile } from './terminal.ts';

const manifests = `apiVersion: sluice/v1
kind: AgentIngress
metadata: {name: agents}
lifecycle: {protect: true}
spec: {domain: agents.example.com}
---
apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: broken}
spec:
  hostports: [broken.example.com:443]
  routes:
    - {match_type: path_prefix, match: /, backend: {backend_id: bkd_1}}
---
apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: unheard}
spec: {description: Nobody shows it}
---
apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: barred}
spec: {region: eu}
---
apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: later}
spec: {region: eu}
`;

const endings = {
  'AgentIngress/agents': 'done',
  'HTTPSEdge/broken': 'failed',
  'HTTPSEdge/unheard': 'unknown',
  'HTTPSEdgeRoute/broken:/': 'skipped',
  'ReservedAddr/barred': 'failed',
  'ReservedAddr/later': 'not-started',
};
const words = { 'not-started': 'not started' } as Readonly<Record<string, string>>;

/** A stack with everything that this run goes wrong by. */
async function broken(): Promise<{
  readonly dir: string;
  readonly emulator: Emulator;
  readonly env: NodeJS.Dict<string>;
}> {
  const emulator = createEmulator({ profile: 'documented', edgeEndpoints: 'hidden' });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  emulator.intercept(faulty(parseFault('reset-after@POST:HTTPSEdge:1')));
  emulator.intercept(({ method, path, body }, next) => {
    if (method === 'POST' && body.includes('broken.example.com'))
      return refusalAnswer(new Refusal(400, 'FULL', 'No | more <b>@all</b>.'), 'op_1');
    return method === 'POST' && path === '/reserved_addrs'
      ? refusalAnswer(new Refusal(403, 'BARRED', 'not with this key'), 'op_2')
      : next();
  });
  const file = stackFile.replace('vendor: example', 'vendor: example, profile: documented');
  return { dir: await stack(manifests, file), emulator, env: { SLUICE_BASE_URL: url, SLUICE_API_KEY: 'right' } };
}

const command = 'apply --auto-approve --parallelism 1 --events events.jsonl';

describe('a run that ends in all five ways is reported the same', () => {
  test('as text', async () => {
    const { dir, env } = await broken();
    const { code, out, err } = await sluice(dir, command, { env });
    expect(code).toBe(6);
    expect(err).toContain('Run `sluice plan` to list the remaining changes.\n');
    const table = out.slice(out.lastIndexOf('requests.\n\n'));
    for (const [address, ending] of Object.entries(endings))
      if (ending !== 'done') expect(table).toContain(`${address} create ${words[ending] ?? ending}`);
    expect(table).toContain(
      'HTTPSEdgeRoute/broken:/ create skipped (depends on HTTPSEdge/broken, which did not complete)\n',
    );
    expect(table).toContain(
      'Applied in part: 1 created; 2 failed, 1 unknown, 1 skipped, 1 not started; 4 API requests.\n',
    );
  });

  test('as JSON, in the events and in what the command exits with', async () => {
    const { dir, env } = await broken();
    const { code, out } = await sluice(dir, `${command} --format json`, { env });
    const outcome = outcomeJsonSchema.parse((JSON.parse(out) as { readonly outcome: unknown }).outcome);
    expect(byAddress(outcome.changes)).toEqual(endings);
    expect(outcome).toMatchObject({
      exit_code: code,
      requests: 4,
      summary: { done: 1, failed: 2, unknown: 1, skipped: 1, not_started: 1 },
    });
    const events = await eventsIn(dir);
    expect(events[0]).toMatchObject({ type: 'apply_started', changes: 6, requests: 6 });
    expect(events.at(-1)).toMatchObject({
      type: 'apply_finished',
      outcome: JSON.parse(JSON.stringify(outcome)) as object,
    });
    const finished = events.flatMap((event) => (event.type === 'change_finished' ? [event] : []));
    expect(finished.map(({ type: _, time: __, ...change }) => change).sort(order)).toEqual(
      [...outcome.changes].sort(order),
    );
    expect(events.filter(({ type }) => type === 'request_started')).toHaveLength(4);
  });

  test('as Markdown that nothing in it can break', async () => {
    const { dir, env } = await broken();
    const { code, out } = await sluice(dir, `${command} --format markdown`, { env });
    for (const [address, ending] of Object.entries(endings))
      expect(out).toContain(`create | \`${address}\` | ${words[ending] ?? ending} |`);
    expect(out).toContain(
      '**Applied in part: 1 created; 2 failed, 1 unknown, 1 skipped, 1 not started; 4 API requests.**',
    );
    expect(out).toContain('depends on `HTTPSEdge/broken`, which did not complete');
    expect(out).toContain(`Exit code ${String(code)}.`);
    expect(out.replaceAll(/`[^`]*`/g, '')).not.toMatch(/<b>|@all/);
  });

  test('in the state: what was done is known, what is unknown is intended, nothing else is', async () => {
    const { dir, env } = await broken();
    await sluice(dir, command, { env });
    const state = JSON.parse(await readFile(join(dir, '.sluice/state.json'), 'utf8')) as {
      readonly entries: object;
      readonly intents: object;
    };
    expect(Object.keys(state.entries)).toEqual(['AgentIngress/agents']);
    expect(Object.keys(state.intents)).toEqual(['HTTPSEdge/unheard']);
  });
});

test('a plan that is refused is reported in every format, and leaves no events', async () => {
  const { dir, env } = await broken();
  await sluice(dir, 'apply --auto-approve', { env });
  const destroy = 'destroy --auto-approve --events refused.jsonl';
  const { code, out } = await sluice(dir, `${destroy} --format markdown`, { env });
  expect(code).toBe(3);
  expect(out).toContain('Nothing was written.');
  expect(out).toContain('delete | `AgentIngress/agents` | refused |');
  expect(out).toContain('Exit code 3.');
  expect(JSON.parse((await sluice(dir, `${destroy} --format json`, { env })).out)).toMatchObject({ outcome: null });
  await expect(readFile(join(dir, 'refused.jsonl'))).rejects.toThrow('ENOENT');
});

test('events that cannot be written are reported before anything is done', async () => {
  const { dir, env, emulator } = await broken();
  const { code, err } = await sluice(dir, 'apply --auto-approve --events missing/events.jsonl', { env });
  expect(code).toBe(8);
  expect(err).toContain('--events missing/events.jsonl cannot be written: no such file or directory (ENOENT)');
  expect(emulator.log.filter(({ method }) => method !== 'GET')).toEqual([]);
});

async function eventsIn(dir: string): Promise<EventJson[]> {
  const text = await readFile(join(dir, 'events.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => eventJsonSchema.parse(JSON.parse(line)));
}

function byAddress(changes: OutcomeJson['changes']): Readonly<Record<string, string>> {
  return Object.fromEntries(changes.map(({ address, outcome }) => [address, outcome]));
}

function order(a: { readonly address: string }, b: { readonly address: string }): number {
  return a.address < b.address ? -1 : 1;
}
