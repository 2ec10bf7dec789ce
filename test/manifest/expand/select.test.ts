import { describe, expect, test } from 'vitest';
import { select } from '../../../src/manifest/expand/select.ts';
import { loadText } from '../../support/manifests.ts';

const stack = ['a', 'b', 'c']
  .map((name, index) => {
    const labels = ['{team: web, tier: prod}', '{team: web}', '{draft: ""}'][index] ?? '';
    return `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}, labels: ${labels}}\n`;
  })
  .join('---\n');

describe('selecting', () => {
  test.each([
    ['team=web', 'ab'],
    ['team==web,tier=prod', 'a'],
    ['tier!=prod', 'bc'],
    ['draft', 'c'],
    ['!draft , team', 'ab'],
    ['toString', ''],
  ])('-l %s takes %s', async (labels, names) => {
    const selected = select(await loadText(stack), { labels });
    expect(selected.resources.map(({ address }) => address.at(-1)).join('')).toBe(names);
    expect(selected.complete).toBe(false);
  });

  test('--target takes what is named, and without either the stack stays whole', async () => {
    const whole = await loadText(stack);
    expect(select(whole, { targets: ['ReservedAddr/b', 'ReservedAddr/gone'] }).resources).toHaveLength(1);
    expect(select(whole, {})).toBe(whole);
  });

  test.each([
    ['ReservedAddr/*', 'abc'],
    ['*/b', 'b'],
    ['*', 'abc'],
    ['Reserved*/c', 'c'],
    ['reservedaddr/*', ''],
  ])('--target %s takes %s', async (target, names) => {
    const selected = select(await loadText(stack), { targets: [target] });
    expect(selected.resources.map(({ address }) => address.at(-1)).join('')).toBe(names);
  });

  test.each([
    ['', 'a requirement is empty'],
    ['team=web,a=b=c', '"a=b=c" is not a requirement'],
    ['!a=b', '"!a=b" is not a requirement'],
    ['a,,b', 'a requirement is empty'],
    ['tier in (prod,test)', '"tier in (prod" is not a requirement'],
  ])('-l %j is no selector, and takes nothing', async (labels, why) => {
    const selected = select(await loadText(stack), { labels });
    expect(selected.resources).toEqual([]);
    expect(selected.diagnostics).toMatchObject([
      { code: 'INVALID_SELECTOR', message: `the label selector is invalid: ${why}` },
    ]);
  });
});
