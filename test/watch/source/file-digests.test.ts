import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileDigests, fileStamp } from '../../../src/watch/source/file-digests.ts';
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

test('a file whose stamp lies is found out within 32 rounds', ({ skip }) => {
  const path = join(scratch(), 'a.yaml');
  for (let tries = 0; tries < 200; tries++) {
    // It takes every file for an old one, so that stamps are believed.
    const digests = fileDigests(() => Infinity);
    writeFileSync(path, 'a: 1\n');
    const first = digests.of(path);
    writeFileSync(path, 'a: 2\n');
    if (fileStamp(statSync(path, { bigint: true })) !== first.stamp) continue;
    const digestsOverRounds = Array.from({ length: 33 }, () => {
      digests.endRound();
      return digests.of(path).digest;
    });
    expect(digestsOverRounds.at(0)).toBe(first.digest);
    expect(digestsOverRounds.at(-1)).not.toBe(first.digest);
    return;
  }
  skip('this file system tells every write apart');
});

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
