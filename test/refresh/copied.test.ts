import { expect, test } from 'vitest';
import { idsOf, remembered, testAccount } from './account.ts';

const audit = 'EventSubscription/audit';

test.each([
  { seconds: 5, duplicates: 1, foreign: 0 },
  { seconds: 86_400, duplicates: 0, foreign: 1 },
])(
  'what carries the nonce of ours and was made $seconds s later: $duplicates by our mistake, $foreign copied by others',
  async ({ seconds, duplicates, foreign }) => {
    let now = Date.parse('2027-03-01T12:00:00Z');
    const account = testAccount({ clock: () => new Date(now) });
    const ours = await account.add(audit);
    now += seconds * 1000;
    const younger = await account.add(audit);
    const { entries, ...state } = remembered({ [audit]: ours });
    const known = Object.entries(entries).map(([address, entry]) => [address, { ...entry, nonce: 'n1' }] as const);
    const found = await account.look({ state: { ...state, entries: Object.fromEntries(known) } });
    expect(idsOf(found)).toEqual({ [audit]: ours });
    expect(found.duplicates).toHaveLength(duplicates);
    for (const { address, actual } of found.duplicates ?? []) expect([address, actual.id]).toEqual([audit, younger]);
    expect(found.foreign).toHaveLength(foreign);
  },
);
