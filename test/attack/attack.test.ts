/*
 * Pull requests of an outsider, made up at random: values of the machine in every field and setting, services in league
 * with the outsider. None gets hold of anything. Here are those that find a hole that is put into the program on purpose;
 * `npm run test:samples` tries the first 40, `npm run test:attack` 5,000.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleSize } from '../support/samples.ts';
import { attackOf } from './attack.ts';
import { cheapDigests } from '../support/cheap-digests.ts';
import { attackedDatabase, type AttackedDatabase } from './database.ts';
import { finders } from './finders.ts';
import { verdictOn } from './verdict.ts';

const asked = process.env['ATTACK_SEED'];
const first = Number(asked ?? 1);
const count = Number(process.env['ATTACK_CASES'] ?? (asked === undefined ? sampleSize(0, 40) : 1));
const seeds =
  count === 0 ? new Set([1, ...Object.values(finders)]) : Array.from({ length: count }, (_, at) => first + at);
const reported =
  count === 0 ? 'attacks that have found a hole' : `${String(count)} attacks, from seed ${String(first)}`;

let database: AttackedDatabase | undefined;

beforeAll(async () => {
  database = await attackedDatabase();
});

afterAll(() => database?.stop());

test(`${reported}, get hold of nothing`, { timeout: 7_200_000 }, async () => {
  cheapDigests();
  const found: string[] = [];
  const ends = new Map<number, number>();
  for (const seed of seeds) {
    if (found.length >= 20) break;
    const { leaks, codes } = await verdictOn(attackOf(seed, database), { database });
    for (const leak of leaks) found.push(`ATTACK_SEED=${String(seed)} npm run test:attack   # ${leak}`);
    for (const code of codes) ends.set(code, (ends.get(code) ?? 0) + 1);
  }
  const commands = [...ends.values()].reduce((sum, times) => sum + times, 0);
  const refused = ends.get(8) ?? 0;
  if (count !== 1)
    console.log(`${String(commands)} commands, by exit code: ${JSON.stringify(Object.fromEntries(ends))}`);
  // Attacks whose manifests are refused at once prove little.
  if (count === 0 || count >= 40) expect(refused / commands).toBeLessThan(0.25);
  expect(found.join('\n')).toBe('');
});
