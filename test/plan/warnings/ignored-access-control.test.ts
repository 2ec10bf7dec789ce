import { describe, expect, test } from 'vitest';
import type { Lifecycle } from '../../../src/model/resource.ts';
import { backend, oauth, planOf, reported, type Given, type Specs } from '../support.ts';

const front = 'HTTPSEdgeRoute/shop:/';
const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
const warning = (pointer: string): string =>
  `IGNORED_ACCESS_CONTROL ${front}: \`oauth\` controls access, and ${pointer} is in lifecycle.ignore: sluice does not change ${pointer}, and `;

function given(wanted: object, ours: object, ignore: readonly string[] = ['/oauth'], edges: Specs = edge): Given {
  const lifecycle: Lifecycle = { ignore };
  return {
    wanted: { ...edges, [front]: { ...backend, ...wanted } },
    ours: { ...edges, [front]: { ...backend, ...ours } },
    lifecycle: { [front]: lifecycle },
    // Nothing remembers that it was otherwise.
    state: 'lost',
  };
}

const narrow = { oauth: { provider: { google: { email_domains: ['example.com'] } } } };

describe('access control in lifecycle.ignore', () => {
  test.each<[string, Given, string[]]>([
    [
      'that the service does not have is a warning',
      given(oauth, {}),
      [`${warning('/oauth')}the service does not apply this access control`],
    ],
    [
      'that is disabled is one too',
      given(oauth, { oauth: { ...oauth.oauth, enabled: false } }),
      [`${warning('/oauth')}the service does not apply this access control`],
    ],
    [
      'that admits others is one too, where only a part of it is ignored',
      given(narrow, oauth, ['/oauth/provider/google/email_domains']),
      [`${warning('/oauth/provider/google/email_domains')}the value in the service differs from the manifest`],
    ],
    [
      'that differs only in what is not ignored is none: the plan changes it',
      given(narrow, { oauth: { ...narrow.oauth, enabled: false } }, ['/oauth/provider/google/email_domains']),
      [],
    ],
    ['that is as the manifest says is none', given(oauth, oauth), []],
    ['that the manifest does not ask for is none', given({}, oauth), []],
    [
      'of an edge that nothing arrives at is none',
      given(oauth, {}, ['/oauth'], { 'HTTPSEdge/shop': { hostports: [] } }),
      [],
    ],
    ['beside another field is none', given(oauth, oauth, ['/compression']), []],
  ])('%s', (_what, account, expected) => {
    expect(reported(planOf(account), 'warning').filter((line) => line.startsWith('IGNORED'))).toEqual(expected);
  });

  test('of a route without a backend is none', () => {
    const { wanted, ours, ...rest } = given(oauth, {});
    const without = { [front]: { backend: { enabled: false, backend_id: 'bkd_app' } } };
    const plan = planOf({
      ...rest,
      wanted: { ...wanted, [front]: { ...without[front], ...oauth } },
      ours: { ...ours, ...without },
    });
    expect(reported(plan, 'warning')).toEqual([]);
  });

  test('is placed where it is written, and reports what to do', () => {
    expect(planOf(given(oauth, {})).diagnostics.find(({ code }) => code === 'IGNORED_ACCESS_CONTROL')).toMatchObject({
      place: { file: 'stack.yaml', line: 1 },
      hint: 'remove /oauth from lifecycle.ignore, or write the value that the service has now in the manifest',
    });
  });
});
