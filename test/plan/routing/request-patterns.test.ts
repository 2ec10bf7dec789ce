import { expect, test } from 'vitest';
import { answeringFor } from '../../../src/model/wildcards.ts';
import { patternFinder, patternOfKey, type RequestPattern } from '../../../src/plan/routing/request-patterns.ts';
import { classAt, type RequestClass } from '../../../src/plan/routing/routing-model.ts';

/** Requests to a hostport that no edge has exactly. */
function requestsTo(place: string, path: string): RequestClass {
  return { ...classAt(place, path), answering: answeringFor(place) };
}

function patternsOf(...keys: readonly string[]): RequestPattern[] {
  return keys.flatMap((key) => patternOfKey(key) ?? []);
}

test('of the records in state, that of the hostport itself counts before that of a wildcard, and the longest path', () => {
  const keys = [
    'prefix *.example.com:443 *.example.com /admin',
    'prefix a.example.com:443 a.example.com /',
    'prefix a.example.com:443 a.example.com /admin',
  ];
  const best = patternFinder(patternsOf(...keys));
  expect(best(requestsTo('a.example.com:443', '/admin\0'))?.key).toBe(keys[2]);
  expect(best(requestsTo('a.example.com:443', '/x\0'))?.key).toBe(keys[1]);
  expect(best(requestsTo('b.example.com:443', '/admin\0'))?.key).toBe(keys[0]);
  expect(best(requestsTo('b.example.org:443', '/admin\0'))).toBeUndefined();
});

test('a class is compared with the records of its own hostport, however many others there are', () => {
  let looks = 0;
  const all = Array.from(
    { length: 1000 },
    (_, n) => `prefix h${String(n)}.example.com:443 h${String(n)}.example.com /`,
  );
  const best = patternFinder(
    patternsOf(...all).map((pattern) => ({
      ...pattern,
      get path() {
        looks += 1;
        return pattern.path;
      },
    })),
  );
  looks = 0;
  expect(best(requestsTo('h7.example.com:443', '/\0'))?.key).toBe(all[7]);
  expect(looks).toBeLessThan(5);
});
