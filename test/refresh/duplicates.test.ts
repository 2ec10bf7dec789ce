import { describe, expect, test } from 'vitest';
import { Refused } from '../../src/diagnostics/errors.ts';
import { idsOf, remembered, shop, testAccount, type Made, type TestAccount } from './account.ts';

const audit = 'EventSubscription/audit';

async function failure(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error as Error,
  );
}

describe('two live resources of one address', () => {
  test('stop the run, both named, when nothing decides which is ours', async () => {
    const account = testAccount();
    const ids = [await account.add(audit), await account.add(audit)];
    const error = await failure(account.look());
    expect(error).toBeInstanceOf(Refused);
    for (const id of ids) expect(error).toMatchObject({ details: [expect.stringContaining(id)] });
  });

  test('are all listed, with what differs', async () => {
    const account = testAccount();
    const other = 'EventSubscription/other';
    for (const address of [audit, audit, other, other]) await account.add(address);
    const error = await failure(account.look());
    const each = (name: string): unknown =>
      expect.stringMatching(new RegExp(`^EventSubscription/${name}: .*created 20.*created 20`));
    expect(error).toMatchObject({ code: 'DUPLICATES', details: [each('audit'), each('other')] });
  });

  test('are listed with the names of the fields that differ, if any', async () => {
    const account = testAccount({ clock: () => new Date(0) });
    const pairs = { 'EventSubscription/equal': ['old', 'old'], 'EventSubscription/other': ['old', 'new'] };
    for (const [address, descriptions] of Object.entries(pairs))
      for (const description of descriptions) await account.add(address, { body: { description } });
    const error = (await failure(account.look())) as Refused;
    expect(error.details.map((line) => line.replaceAll(/esb_\w+/g, 'ID'))).toEqual([
      'EventSubscription/equal: EventSubscription ID (created 1970-01-01T00:00:00Z), EventSubscription ID (created 1970-01-01T00:00:00Z)',
      'EventSubscription/other: EventSubscription ID (created 1970-01-01T00:00:00Z), EventSubscription ID (created 1970-01-01T00:00:00Z; differs in description)',
    ]);
  });

  test('are distinguished by age with --keep-oldest, and the younger ones are deleted', async () => {
    const account = testAccount();
    const ids = [await account.add(audit), await account.add(audit)] as const;
    const found = await account.look({ keepOldest: true });
    expect(Object.keys(idsOf(found))).toEqual([audit]);
    expect([...Object.values(idsOf(found)), ...(found.duplicates ?? []).map(({ actual }) => actual.id)].sort()).toEqual(
      [...ids].sort(),
    );
    expect(found.foreign).toEqual([]);
  });

  describe('though --keep-oldest is set', () => {
    /** An account in which a day passes with everything that happens. */
    const ageing = (): TestAccount => {
      let days = 0;
      return testAccount({ clock: () => new Date(Date.UTC(2026, 0, ++days)) });
    };
    const oldAndYoung = async (account: TestAccount, address: string, old: Made, young: Made) => {
      const ids = [await account.add(address, old), await account.add(address, young)] as const;
      return { ids, found: await account.look({ keepOldest: true }) };
    };

    test('stay both where the younger one is protected', async () => {
      const { ids, found } = await oldAndYoung(ageing(), audit, {}, { protect: true });
      expect(idsOf(found)).toEqual({ [audit]: ids[0] });
      expect(found.duplicates).toEqual([]);
      expect(found.foreign.map(({ id }) => id)).toEqual([ids[1]]);
      expect(found.diagnostics.map(({ message }) => message)).toEqual([
        expect.stringContaining('the duplicate is protected, so sluice does not delete it'),
      ]);
    });

    test.each([
      { hostports: ['shop.example.com:443'], isKept: true },
      { hostports: [], isKept: false },
    ])('stay both where the younger one serves a hostport: $hostports', async ({ hostports, isKept }) => {
      const { ids, found } = await oldAndYoung(ageing(), 'HTTPSEdge/shop', {}, { body: { hostports } });
      expect(idsOf(found)).toEqual({ 'HTTPSEdge/shop': ids[0] });
      expect(found.duplicates?.map(({ actual }) => actual.id)).toEqual(isKept ? [] : [ids[1]]);
      expect(found.diagnostics.some(({ message }) => message.includes('the duplicate serves a hostport'))).toBe(isKept);
    });

    test('the oldest is kept by its time, and by its id where both are of one time', async () => {
      const { ids, found } = await oldAndYoung(testAccount({ clock: () => new Date(0) }), audit, {}, {});
      expect(idsOf(found)).toEqual({ [audit]: [...ids].sort()[0] });
    });
  });

  test('of which the journal names one are decided, and the other is never deleted', async () => {
    const account = testAccount();
    const [copy] = [await account.add(audit, { nonce: 'n2' }), await account.add(audit)];
    const intents = { [audit]: { kind: 'EventSubscription', nonces: ['n1'] } };
    const found = await account.look({ state: { ...remembered({}), intents } });
    expect(idsOf(found)[audit]).not.toBe(copy);
    expect(found.duplicates).toEqual([]);
    expect(found.foreign.map(({ id }) => id)).toEqual([copy]);
  });

  test('of which a killed replacement had just created one: that one is kept, though the old one never had a marker', async () => {
    const account = testAccount();
    const [old, fresh] = [await account.addForeign('EventSubscription'), await account.add(audit, { nonce: 'n2' })];
    const intents = { [audit]: { kind: 'EventSubscription', nonces: ['n2'] } };
    const found = await account.look({ state: { ...remembered({ [audit]: old }), intents } });
    expect(idsOf(found)).toEqual({ [audit]: fresh });
    expect(found.deposed).toMatchObject([{ address: audit, actual: { id: old } }]);
    expect(found.diagnostics.map(({ code }) => code)).not.toContain('OLD_INSTANCE_NOT_OWNED');
  });

  test('of which one is old are decided by state alone in a stack without markers', async () => {
    const account = testAccount({}, { ...shop, marker: false });
    const [old, fresh] = [await account.addForeign('EventSubscription'), await account.addForeign('EventSubscription')];
    const { entries, ...state } = remembered({ [audit]: fresh });
    const entry = entries[audit];
    if (entry === undefined) throw new Error('nothing is remembered');
    const found = await account.look({ state: { ...state, entries: { [audit]: { ...entry, deposed: [old] } } } });
    expect(idsOf(found)).toEqual({ [audit]: fresh });
    expect(found.deposed).toMatchObject([{ address: audit, actual: { id: old } }]);
  });

  test('are distinguished by state', async () => {
    const account = testAccount();
    const ids = [await account.add(audit), await account.add(audit), await account.add(audit)] as const;
    const found = await account.look({ state: remembered({ [audit]: ids[1] }) });
    expect(idsOf(found)).toEqual({ [audit]: ids[1] });
    expect(found.foreign.map(({ id }) => id).sort()).toEqual([ids[0], ids[2]].sort());
    expect(found.diagnostics.map(({ code }) => code)).toEqual(['DUPLICATE_RESOURCE', 'DUPLICATE_RESOURCE']);
  });

  test('are distinguished by what manifests adopt', async () => {
    const account = testAccount();
    const ids = [await account.add(audit), await account.add(audit)] as const;
    for (const id of ids) {
      const found = await account.look({ adopt: [{ kind: 'EventSubscription', id }] });
      expect(idsOf(found)).toEqual({ [audit]: id });
    }
  });
});

test('a resource that its own creation made is no old instance, though the intent of that is still recorded', async () => {
  const account = testAccount();
  const id = await account.add(audit, { nonce: 'n1' });
  const intents = { [audit]: { kind: 'EventSubscription', nonces: ['n1'] } };
  const found = await account.look({ state: { ...remembered({ [audit]: id }), intents } });
  expect(idsOf(found)).toEqual({ [audit]: id });
  expect(found.deposed).toEqual([]);
});
