import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce, type Sliced } from '../../src/model/sliced.ts';
import { documentInSteps, stateInSteps } from '../../src/state/document.ts';
import { jsonInSteps } from '../../src/state/json-in-steps.ts';
import { emptyState } from '../../src/state/store.ts';

const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom('\n', '\u2028', '"', '__proto__'));
// More than one step takes.
const many = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 1 }), { minKeys: 15, maxKeys: 50 });

test('JSON that is made in steps is what JSON.stringify makes at once', () => {
  fc.assert(
    fc.property(fc.dictionary(texts, fc.oneof(fc.jsonValue(), many)), (object) => {
      expect(atOnce(jsonInSteps(object))).toBe(JSON.stringify(object, null, 1));
    }),
    { numRuns: 300 },
  );
});

test('leaves out what has no value, as JSON does', () => {
  expect(atOnce(jsonInSteps({ a: undefined, b: { c: undefined, d: 1 } }))).toBe('{\n "b": {\n  "d": 1\n }\n}');
});

test('a state is written and read in steps of a few resources', () => {
  const entry = { kind: 'Widget', spec: { size: 1 }, protect: false, retain: false };
  const entries = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [`Widget/${n}`, { ...entry, id: `w_${n}` }]),
  );
  const state = { ...emptyState('st1', 'https://api.example.com'), serial: 1, entries };
  const written = counted(documentInSteps(state, { version: '0.1.0', command: 'apply' }));
  const read = counted(stateInSteps(written.result));
  expect(read.result).toEqual(state);
  expect(Math.min(written.steps, read.steps)).toBeGreaterThan(50);
});

function counted<T>(work: Sliced<T>): { readonly steps: number; readonly result: T } {
  for (let steps = 0; ; steps++) {
    const step = work.next();
    if (step.done === true) return { steps, result: step.value };
  }
}
