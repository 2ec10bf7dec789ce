import { describe, expect, test } from 'vitest';
import type { ChangeOutcome, Outcome } from '../../src/model/outcome.ts';
import { exitCodeOfOutcome } from '../../src/cli/exit-code.ts';
import { outcomeJson } from '../../src/render/outcome/outcome-json.ts';
import { outcomeMarkdown } from '../../src/render/outcome/outcome-markdown.ts';
import { outcomeText } from '../../src/render/outcome/outcome-text.ts';
import { plain } from '../../src/render/text/palette.ts';
import { progressLines } from '../../src/render/outcome/progress-lines.ts';
import { planOf } from './plans.ts';

const done: ChangeOutcome = { address: 'HTTPSEdge/shop', action: 'create', ending: 'done', id: 'edghts_1' };
const failed: ChangeOutcome = {
  address: 'HTTPSEdge/api',
  action: 'update',
  ending: 'failed',
  message: 'PATCH /edges/https/edghts_2 returned 400: hostport taken',
  status: 400,
};
const skipped: ChangeOutcome = {
  address: 'HTTPSEdgeRoute/api:/',
  action: 'create',
  ending: 'skipped',
  failedDependency: 'HTTPSEdge/api',
};

function outcome(changes: readonly ChangeOutcome[], facts: Partial<Outcome> = {}): Outcome {
  return { changes, requests: changes.length, interrupted: false, unresolved: [], duplicates: [], ...facts };
}

describe('an outcome as text', () => {
  test('is one line when all is done', () => {
    expect(outcomeText(outcome([done]), plain)).toBe('Applied: 1 created; 1 API request.\n');
  });

  test('reports what failed and why, and what was skipped because of it', () => {
    expect(outcomeText(outcome([done, failed, skipped], { requests: 2 }), plain)).toBe(
      `~ HTTPSEdge/api update failed: PATCH /edges/https/edghts_2 returned 400: hostport taken
+ HTTPSEdgeRoute/api:/ create skipped (depends on HTTPSEdge/api, which did not complete)
Applied in part: 1 created; 1 failed, 1 skipped; 2 API requests.
`,
    );
  });

  test('reports that nothing was written only when no request went out', () => {
    const unstarted: ChangeOutcome = { ...failed, ending: 'not-started' };
    expect(outcomeText(outcome([unstarted], { requests: 0 }), plain)).toContain('Nothing was written: 1 not started');
    expect(outcomeText(outcome([failed]), plain)).not.toContain('Nothing was written');
  });

  test('reports what is not remembered, and that not all went well', () => {
    const unsaved = { code: 'STATE_NOT_WRITTEN', message: 'state.json cannot be written: ENOSPC', hint: 'make room' };
    expect(outcomeText(outcome([done], { stateError: unsaved }), plain)).toBe(
      `state not saved: state.json cannot be written: ENOSPC (make room)
Applied: 1 created; 1 API request; state not saved.
`,
    );
    expect(exitCodeOfOutcome(outcome([done], { stateError: unsaved }))).toBe(6);
    expect(exitCodeOfOutcome(outcome([{ ...done, ending: 'not-started' }], { stateError: unsaved, requests: 0 }))).toBe(
      1,
    );
  });

  test('reports that it was interrupted', () => {
    expect(outcomeText(outcome([done], { interrupted: true }), plain)).toBe('Interrupted: 1 created; 1 API request.\n');
  });
});

test('an outcome as JSON says the same in fields', () => {
  expect(outcomeJson(outcome([failed]), 1)).toMatchObject({
    interrupted: false,
    requests: 1,
    changes: [{ address: 'HTTPSEdge/api', action: 'update', outcome: 'failed', status: 400 }],
  });
});

test('a comment counts the unresolved creations and the duplicates that it has no room for', () => {
  const unresolved = Array.from({ length: 20 }, (_, n) => ({
    address: `IPPolicyRule/rule-${String(n)}`,
    kind: 'IPPolicyRule',
  }));
  const duplicates = unresolved.map(({ address, kind }) => ({ address, kind, id: 'ipr_1', otherIds: ['ipr_2'] }));
  const comment = outcomeMarkdown(
    { plan: planOf([]), outcome: outcome([done], { unresolved, duplicates }), exitCode: 6 },
    0,
  );
  expect(Buffer.byteLength(comment)).toBeLessThan(2048);
  expect(comment).toMatch(/_\d+ unresolved creations omitted \(size limit\)\._/);
  expect(comment).toMatch(/_\d+ duplicates omitted \(size limit\)\._/);
});

describe('progress', () => {
  test('is a line for each change that has ended, and below them what is under way', () => {
    const { onEvent, printed, shown } = progress(80);
    onEvent({ type: 'started', address: done.address, action: 'create', step: 'HTTPSEdge/shop create' });
    onEvent({ type: 'started', address: 'ReservedAddr/mqtt', action: 'update', step: 'ReservedAddr/mqtt update' });
    expect(shown()).toBe('0 s: creating HTTPSEdge/shop and 1 more');
    onEvent({ type: 'finished', outcome: done, done: 1, total: 2 });
    expect(printed()).toBe('+ HTTPSEdge/shop created\n');
    expect(shown()).toBe('1 of 2 done, 0 s: updating ReservedAddr/mqtt');
    onEvent({ type: 'finished', outcome: { ...done, address: 'ReservedAddr/mqtt' }, done: 2, total: 2 });
    expect(shown()).toBe('');
  });

  test('tells how long it has been, and the pace that the service allows', () => {
    const { onEvent, tick, shown, pass } = progress(80);
    onEvent({ type: 'started', address: done.address, action: 'create', step: 'HTTPSEdge/shop create' });
    pass(75_000, 500);
    tick();
    expect(shown()).toBe('1 min: creating HTTPSEdge/shop (at most 120 requests a minute)');
  });

  test('keeps to the columns there are', () => {
    const { onEvent, shown } = progress(12);
    onEvent({ type: 'started', address: done.address, action: 'create', step: 'HTTPSEdge/shop create' });
    expect(shown()).toBe('0 s: creati');
  });

  function progress(columns: number) {
    let [printed, shown, ms] = ['', '', 1_000];
    let gap: number | undefined;
    return {
      ...progressLines({
        print: (lines) => {
          printed += lines;
        },
        show: (text) => {
          shown = text;
        },
        palette: plain,
        columns,
        now: () => ms,
        gapMs: () => gap,
      }),
      printed: () => printed,
      shown: () => shown,
      pass: (more: number, gapMs: number) => {
        ms += more;
        gap = gapMs;
      },
    };
  }
});
