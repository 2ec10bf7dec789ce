import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileDigests } from '../../../src/watch/source/file-digests.ts';
import { scratch } from '../../support/watched-stack.ts';

test('a file rewritten with equal size in the same tick of the clock is another', () => {
  const path = join(scratch(), 'a.yaml');
  const digests = fileDigests();
  const seen = new Set<string>();
  for (let n = 0; n < 500; n++) {
    writeFileSync(path, `a: ${1000 + n}\n`);
    utimesSync(path, 1, 1);
    seen.add(digests.of(path).digest);
    digests.endRound();
  }
  expect(seen.size).toBe(500);
});

// Holds other bytes at each reading, under one and the same stamp.
const lying = '/proc/sys/kernel/random/uuid';

test.skipIf(!existsSync(lying))(
  'a file whose stamp is the same is read again every 32 rounds, and not in between',
  () => {
    // It takes every file for an old one, so that stamps are accepted.
    const digests = fileDigests(() => Infinity);
    const seen = Array.from({ length: 66 }, () => {
      const { digest } = digests.of(lying);
      expect(digests.of(lying).digest).toBe(digest);
      digests.endRound();
      return digest;
    });
    expect(seen.flatMap((digest, round) => (digest === seen[round - 1] ? [] : [round]))).toEqual([0, 32, 64]);
  },
);

test('bytes that are no text, and files too large to be read, still show that they changed', () => {
  const path = join(scratch(), 'a.yaml');
  const digests = fileDigests();
  const contents = [Buffer.from([0, 1]), Buffer.from([0, 1, 2]), Buffer.alloc(2_000_000), Buffer.alloc(2_000_001)];
  const seen = contents.map((bytes) => {
    writeFileSync(path, bytes);
    return digests.of(path).digest;
  });
  expect(new Set(seen).size).toBe(contents.length);
});
