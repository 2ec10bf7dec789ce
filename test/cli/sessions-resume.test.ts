import { expect, test } from 'vitest';
import type { AgentSetup } from '../../src/emulator/agents/agents.ts';
import { fleet, interruptedAsleep, wordsOf, type Fleet } from './fleet.ts';

/** What happens to the second of three named agents, and what the printed command does about it. */
interface Failure {
  readonly second?: AgentSetup;
  readonly steps?: readonly string[];
  /** Answers how to mend it. */
  readonly happens?: (emulator: Fleet['emulator'], second: string) => () => void;
  readonly code: string;
  /** The second agent is in the command with its old session, with its new one, or not at all. */
  readonly named: 'old' | 'new' | 'unnamed';
}

const noContent = { status: 204, headers: {}, body: '' };
const reset = { broken: { how: 'reset' } } as const;

const failures: Readonly<Record<string, Failure>> = {
  'refuses the update': { second: { updates: false }, code: 'UPDATE_DISABLED', named: 'old' },
  'may have begun the update': {
    happens: (emulator, second) =>
      emulator.intercept(async ({ path }, next) => ({
        ...(await next()),
        ...(path.endsWith(`${second}/update`) ? reset : {}),
      })),
    code: 'CONNECTION_FAILED',
    named: 'old',
  },
  'reconnects with its old version': {
    happens: (emulator, second) =>
      emulator.intercept(({ path }, next) => (path.endsWith(`${second}/update`) ? noContent : next())),
    code: 'VERSION_UNCHANGED',
    named: 'new',
  },
  'does not reconnect': { second: { returns: false }, code: 'NOT_RECONNECTED', named: 'unnamed' },
  'does not reconnect, and was not updated': {
    second: { returns: false },
    steps: ['--restart'],
    code: 'NOT_RECONNECTED',
    named: 'unnamed',
  },
  'may not have got the restart': {
    happens: (emulator, second) =>
      emulator.intercept(({ path }, next) =>
        path.endsWith(`${second}/restart`) ? { ...noContent, ...reset } : next(),
      ),
    code: 'NOT_RECONNECTED',
    named: 'old',
  },
  'does not reconnect after a lost response': {
    second: { returns: false },
    happens: (emulator, second) =>
      emulator.intercept(async ({ path }, next) => ({
        ...(await next()),
        ...(path.endsWith(`${second}/restart`) ? reset : {}),
      })),
    code: 'NOT_RECONNECTED',
    named: 'unnamed',
  },
  'cannot be looked for': {
    happens: (emulator, second) => {
      let isRestarted = false;
      return emulator.intercept(({ path, method }, next) => {
        isRestarted ||= path.endsWith(`${second}/restart`);
        return isRestarted && method === 'GET'
          ? { status: 403, headers: { 'content-type': 'application/json' }, body: '{"msg":"not now"}' }
          : next();
      });
    },
    code: 'ACCESS_DENIED',
    named: 'unnamed',
  },
};

test.each(Object.entries(failures))(
  'the printed command continues a rollout of named agents where one %s',
  async (_, { second: setup = {}, steps = [], happens, code, named }) => {
    const { sluice, ids, emulator } = await fleet([{}, setup, {}].map((agent) => ({ available: '3.5.0', ...agent })));
    const [first = '', second = '', third = ''] = ids;
    const mend = happens?.(emulator, second);
    const { out } = await sluice(['sessions', 'rollout', ...steps, ...ids, '--yes']);
    expect(out).toContain(`(${code})`);
    const words = wordsOf(resumption(out));
    expect(words).toContain(third);
    expect(words).not.toContain(first);
    expect(words.includes(second)).toBe(named === 'old');
    expect(words.filter((word) => word.startsWith('ts_'))).toHaveLength(named === 'unnamed' ? 1 : 2);
    expect(out.includes(`The new sessions of these agents are unknown: ${second}.`)).toBe(named === 'unnamed');
    mend?.();
    const again = await sluice([...words, '--yes']);
    expect(again.err).not.toContain('SESSION_NOT_FOUND');
    expect(again.out).toContain(`Rollout to ${named === 'unnamed' ? '1 agent' : '2 agents'}`);
  },
);

test('no command is printed where no agent that is left can be named', async () => {
  const { sluice, ids } = await fleet([{ available: '3.5.0', returns: false }]);
  const { out } = await sluice(['sessions', 'rollout', ...ids, '--yes']);
  expect(resumption(out)).toBe('');
  expect(out).toContain(`The new sessions of these agents are unknown: ${ids[0] ?? ''}.`);
  expect(out).toContain('`sluice sessions list`');
});

test('a rollout of named agents that Ctrl-C ends after a restart does not name the ended session', async () => {
  const { sluice, ids, clock } = await fleet([{}, {}]);
  const stopped = await sluice(['sessions', 'rollout', '--restart', ...ids, '--yes'], interruptedAsleep(clock));
  expect(stopped.code).toBe(130);
  const words = wordsOf(resumption(stopped.out));
  expect(words.filter((word) => word.startsWith('ts_'))).toEqual([ids[1]]);
  expect((await sluice([...words, '--yes'])).code).toBe(0);
});

test('the printed command names every agent that is left, however many', async () => {
  const { sluice, ids } = await fleet(Array.from({ length: 300 }, (_, n) => ({ updates: n > 0, available: '3.5.0' })));
  const { out } = await sluice(['sessions', 'rollout', ...ids, '--yes']);
  expect(wordsOf(resumption(out)).filter((word) => word.startsWith('ts_'))).toEqual(ids);
});

/** The command that a rollout says goes on with it. */
function resumption(out: string): string {
  return /To continue the rollout, run:\n {2}(.*)\n/.exec(out)?.[1] ?? '';
}
