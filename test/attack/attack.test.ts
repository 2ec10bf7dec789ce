/*
 * Pull requests of a stranger, made up at random: values of the machine in every field and setting, services in league
 * with the stranger. None gets hold of anything. `npm run test:attack` tries 5,000 of them, here are a few.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attackOf } from './attack.ts';
import { cheapDigests } from './cheap-digests.ts';
import { attackedDatabase, type AttackedDatabase } from './database.ts';
import { verdictOn } from './verdict.ts';

const first = Number(process.env['ATTACK_SEED'] ?? 1);
const count = Number(process.env['ATTACK_CASES'] ?? (process.env['ATTACK_SEED'] === undefined ? 40 : 1));

let database: AttackedDatabase | undefined;

beforeAll(async () => {
  database = await attackedDatabase();
});

afterAll(() => database?.stop());

test(`${String(count)} attacks, from seed ${String(first)}, get hold of nothing`, { timeout: 7_200_000 }, async () => {
  cheapDigests();
  const found: string[] = [];
  const ends = new Map<number, number>();
  for (let seed = first; seed < first + count && found.length < 20; seed++) {
    const { leaks, codes } = await verdictOn(attackOf(seed, database), { database });
    for (const leak of leaks) found.push(`ATTACK_SEED=${String(seed)} npm run test:attack   # ${leak}`);
    for (const code of codes) ends.set(code, (ends.get(code) ?? 0) + 1);
  }
  const commands = [...ends.values()].reduce((sum, times) => sum + times, 0);
  const refused = ends.get(8) ?? 0;
  if (count > 1) console.log(`${String(commands)} commands, by exit code: ${JSON.stringify(Object.fromEntries(ends))}`);
  // Attacks whose manifests are refused at once prove little.
  if (count >= 40) expect(refused / commands).toBeLessThan(0.25);
  expect(found.join('\n')).toBe('');
});
