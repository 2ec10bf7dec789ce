import { describe, expect, test } from 'vitest';
import { notBuilt } from '../support/processes.ts';
import { sampleSize } from '../support/samples.ts';
import { soak } from './soak.ts';

// `npm run test:soak` asks for ten minutes.
const seconds = Number(process.env['SOAK_SECONDS'] ?? sampleSize(5, 20));
const seed = Number(process.env['SOAK_SEED'] ?? 1);
const isOnDemand = process.env['SOAK_SECONDS'] !== undefined;

describe.skipIf(notBuilt !== '')(`a soak${notBuilt}`, () => {
  test(
    `of ${seconds} s: whatever happens, the account ends as the last good revision says, and nothing else was deleted`,
    { timeout: seconds * 1_000 + 400_000 },
    async () => {
      const say = (line: string): void => (isOnDemand ? console.log(line) : undefined);
      say(`again with: SOAK_SECONDS=${seconds} SOAK_SEED=${seed} npm run test:soak`);
      const { violations, table } = await soak({ seconds, seed, say });
      say(table);
      expect(violations, `SOAK_SECONDS=${seconds} SOAK_SEED=${seed} npm run test:soak\n\n${table}`).toEqual([]);
    },
  );
});
