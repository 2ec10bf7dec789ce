import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { describe, expect, test } from 'vitest';
import type { WatchStatus } from '../../../src/model/watch-status.ts';
import { statusPage } from '../../../src/render/status/status-page.ts';
import { statusOfTexts } from '../../watch/hostile-status.ts';
import { allWell, applying, awaiting, inTrouble, large, paused, standingBy, statuses } from '../../watch/statuses.ts';
import { minute, resource } from '../../watch/company.ts';
import { hostile } from '../hostile-text.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const runs = Number(process.env['RUNS'] ?? 150);

// Everything the templates put on a page; whatever else is there came from a value.
const elements = new Set(
  `html head meta title link style noscript body svg symbol path circle rect use g text script div header main footer
   section article h1 h2 h3 p span strong b a code pre ul li dl dt dd details summary time progress`.split(/\s+/),
);
const attributes = new Set(
  `lang charset name content rel href class viewBox aria-hidden aria-label aria-live role id d cx cy r hidden data-age
   data-poll data-r datetime title x y width height rx preserveAspectRatio value max tabindex transform open
   http-equiv`.split(/\s+/),
);
const links =
  /^(#(r-[0-9a-f]{12}|i-[a-z-]+|rules|exposed|action|failures)|status\.json|metrics|data:image\/svg\+xml,[\w%.~!*'()-]+)$/;

interface Parsed {
  readonly all: readonly Element[];
  readonly errors: readonly string[];
}

function parsed(html: string): Parsed {
  const errors: string[] = [];
  const all: Element[] = [];
  visit(parse(html, { scriptingEnabled: false, onParseError: ({ code }) => errors.push(code) }));
  return { all, errors };

  function visit(node: Node): void {
    if ('tagName' in node) all.push(node);
    if ('childNodes' in node) for (const child of node.childNodes) visit(child);
  }
}

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

function words(html: string, id: string): string {
  const found = parsed(html).all.find((one) => one.attrs.some(({ name, value }) => name === 'id' && value === id));
  return found === undefined ? '' : textOf(found).replace(/\s+/g, ' ').trim();
}

function headline(status: WatchStatus): string {
  const { html } = statusPage(status);
  return textOf(parsed(html).all.find(({ tagName }) => tagName === 'h1')!)
    .replace(/\s+/g, ' ')
    .trim();
}

describe('whatever manifests, answers and people write', () => {
  test('the page holds no element, attribute, address or script but those of its templates', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 40 }), (texts) => {
        const { html } = statusPage(statusOfTexts(texts));
        const { all, errors } = parsed(html);
        expect(errors).toEqual([]);
        expect([...new Set(all.map(({ tagName }) => tagName))].filter((name) => !elements.has(name))).toEqual([]);
        const attrs = all.flatMap((one) => one.attrs);
        expect(attrs.map(({ name }) => name).filter((name) => !attributes.has(name))).toEqual([]);
        expect(attrs.filter(({ name, value }) => name === 'href' && !links.test(value))).toEqual([]);
        expect(all.filter(({ tagName }) => tagName === 'script' || tagName === 'style')).toHaveLength(2);
        const ids = attrs.flatMap(({ name, value }) => (name === 'id' ? [value] : []));
        expect(ids.filter((id) => !/^[a-z][a-z0-9-]*$/.test(id))).toEqual([]);
        expect(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u.exec(html)).toBeNull();
      }),
      { numRuns: runs },
    );
  });

  test('an address is shown as it is written', () => {
    const name = '<img src=x onerror=alert(1)>';
    const { html } = statusPage({ ...allWell, resources: [resource(`HTTPSEdge/${name}`)] });
    expect(words(html, 'resources')).toContain(name);
  });

  test('the policy lets the one style and the one script of the page run, and nothing else', () => {
    const { html, contentSecurityPolicy } = statusPage(allWell);
    for (const tagName of ['style', 'script']) {
      const text = textOf(parsed(html).all.find((one) => one.tagName === tagName)!);
      const hash = createHash('sha256').update(text).digest('base64');
      expect(contentSecurityPolicy).toContain(`${tagName}-src 'sha256-${hash}'`);
    }
    expect(contentSecurityPolicy).toMatch(/^default-src 'none';/);
    expect(contentSecurityPolicy).not.toMatch(/unsafe|https?:|\*/);
  });
});

describe('the first thing an operator reads', () => {
  test.each<[string, WatchStatus, string]>([
    ['all is well', allWell, 'All 14 resources in sync'],
    ['an apply runs', applying(2), 'Applying 5 changes'],
    ['somebody has to decide', awaiting, '2 items need your action'],
    ['the manifests are broken', inTrouble, 'Invalid manifests'],
    ['another leads', standingBy, 'Standby'],
    ['it was paused', paused, 'Paused until 2026-03-14 15:00 UTC'],
    ['nothing was seen yet', without(allWell), 'First refresh is running'],
  ])('when %s', (_, status, expected) => {
    expect(headline(status)).toBe(expected);
  });
});

describe('the page shows', () => {
  test('what is pending approval, why, and the command that approves it', () => {
    const action = words(statusPage(awaiting).html, 'action');
    expect(action).toContain('sluice approve 91b2cc04');
    expect(action).toContain('delete ReservedAddr/mqtt-us pending approval');
    expect(action).toContain('LOSES_ADDRESS: its address, mqtt-us.example.com:1883, may go to somebody else');
    expect(action).toContain('protect: false');
  });

  test('what each pending change would do, and the whole plan that an approval covers', () => {
    const action = words(statusPage(awaiting).html, 'action');
    expect(action).toContain('mutual_tls: CertificateAuthority/partners -> (not set)');
    expect(action).toContain('domain: office.example.com -> hq.example.com');
    expect(action).toContain('The whole plan that this approves');
    expect(action).toContain('2 to update; 2 requests.');
    expect(words(statusPage(awaiting).html, 'pending')).toContain('What would change: 20 lines');
  });

  test('who approved an apply, when and why', () => {
    const [first, ...rest] = allWell.history;
    const approvals = [{ digest: 'sha256:77', by: 'ada', at: allWell.now - 60_000, reason: 'CHG-1042' }];
    const approved = { ...allWell, history: first === undefined ? [] : [{ ...first, approvals }, ...rest] };
    expect(words(statusPage(approved).html, 'history')).toContain('Approved by ada 1 min ago: CHG-1042.');
  });

  test('what is pending because of a dependency', () => {
    expect(words(statusPage(awaiting).html, 'pending')).toContain(
      'update HTTPSEdgeRoute/api:partners waiting for a dependency',
    );
  });

  test('the desired and the actual value of a drift conflict', () => {
    expect(words(statusPage(inTrouble).html, 'action')).toMatch(/Desired \(manifests\) 8h Actual.* 720h/);
  });

  test('errors of manifests with file, line and a caret under the place', () => {
    const { html } = statusPage(inTrouble);
    expect(words(html, 'failures')).toContain('manifests/shop.yaml:6');

    expect(
      parsed(html)
        .all.filter(({ tagName }) => tagName === 'pre')
        .map(textOf),
    ).toContain('    6 |   hostport: [shop.example.com:443, shop.example.nl:443]\n      |   ^^^^^^^^');
  });

  test('which revision was read and which stays active', () => {
    expect(words(statusPage(inTrouble).html, 'failures')).toContain(
      'Revision c0ffee1 has errors; revision 4f2d1c8 stays active',
    );
  });

  test('the last applies with their plans', () => {
    const { html } = statusPage(allWell);
    expect(words(html, 'history')).toContain('2 updated');
    expect(words(html, 'history')).toContain('update: failed');
    expect(html).toContain('description   &#34;Public shop&#34; → &#34;Public shop, now in Dutch too&#34;');
  });

  test('of 50 long applies no more than a browser takes', () => {
    const long = { ...allWell.history[0]!, plan: 'x'.repeat(1_000_000) };
    const history = Array.from({ length: 80 }, (_, index) => ({ ...long, began: index }));
    expect(statusPage({ ...allWell, history }).html.length).toBeLessThan(1_000_000);
  });
});

describe('the tag of a page', () => {
  test('stays while only time goes by', () => {
    expect(statusPage({ ...allWell, now: allWell.now + 3 * minute }).etag).toBe(statusPage(allWell).etag);
  });

  test.each(Object.entries(statuses).filter(([name]) => name !== 'all-well'))('is another for %s', (_, status) => {
    expect(statusPage(status).etag).not.toBe(statusPage(allWell).etag);
  });
});

test('a list of 300 is folded but for what asks for attention', () => {
  const { html } = statusPage(large);
  const open = parsed(html).all.filter(
    ({ tagName, attrs }) => tagName === 'details' && attrs.some(({ name }) => name === 'open'),
  );
  expect(open).toHaveLength(4);
  expect(html.length).toBeLessThan(400_000);
});

function without({ lastRefresh: _, lastSuccess: __, ...status }: WatchStatus): WatchStatus {
  return { ...status, resources: [] };
}
