import { describe, expect, test } from 'vitest';
import { returned, ambiguousSessions } from '../../src/cli/commands/sessions/returned-session.ts';
import { sessionFrom, type Session } from '../../src/cli/commands/sessions/session.ts';

describe('an agent is known again', () => {
  test('by credential, address, system and metadata', () => {
    const [old, ...others] = [
      agent('a'),
      agent('b', { ip: '2' }),
      agent('c', { os: 'x' }),
      agent('d', { metadata: 'x' }),
    ];
    expect(back([old], [old], others)).toEqual([]);
    expect(back([old], [old], [...others, agent('e', { agent_version: '9', region: 'eu' })])).toEqual(['a as e']);
  });

  test('only under a session that was not there before', () => {
    const [a, b] = [agent('a'), agent('b')];
    expect(back([a], [a, b], [a, b])).toEqual([]);
    expect(back([a], [a, b], [b])).toEqual([]);
    expect(back([a], [a, b], [b, agent('c')])).toEqual(['a as c']);
  });

  test('not while its old session is still there', () => {
    const a = agent('a');
    expect(back([a], [a], [a, agent('twin')])).toEqual([]);
  });
});

describe('duplicates', () => {
  test('are back when as many new sessions are there', () => {
    const [a, b, c] = [agent('a'), agent('b'), agent('c')];
    expect(back([a, b, c], [a, b, c], [agent('d'), agent('e')])).toEqual(['a as d', 'b as e']);
    expect(back([a, b, c], [a, b, c], [agent('d'), agent('e'), agent('f')])).toHaveLength(3);
  });

  test('that come back by themselves do not stand for the one that was restarted', () => {
    const [a, b] = [agent('a'), agent('b')];
    // b has come back as c on its own; a is still away.
    expect(back([a], [a, b], [agent('c')])).toEqual([]);
    expect(back([a], [a, b], [agent('c'), agent('d')])).toHaveLength(1);
  });

  test('are counted', () => {
    expect(ambiguousSessions([agent('a'), agent('b'), agent('c', { ip: '2' })])).toBe(2);
    expect(ambiguousSessions([agent('a')])).toBe(0);
  });
});

function back(restarted: readonly Session[], before: readonly Session[], now: readonly Session[]): string[] {
  return [...returned(restarted, before, now)].map(([old, { id }]) => `${old} as ${id}`);
}

function agent(id: string, fields: Readonly<Record<string, string>> = {}): Session {
  const session = sessionFrom({ id, credential: { id: 'cr_1' }, ip: '1', os: 'linux', ...fields });
  if (session === undefined) throw new Error('an agent has an id');
  return session;
}
