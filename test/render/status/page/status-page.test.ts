import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { describe, expect, test } from 'vitest';
import { changeProgresses, type WatchStatus } from '../../../../src/model/status/watch-status.ts';
import { statusDetails } from '../../../../src/render/status/page/status-details.ts';
import { statusPage } from '../../../support/status-page.ts';
import { sampleSize } from '../../../support/samples.ts';
import { statusOfTexts } from '../../../watch/hostile-status.ts';
import {
  allWell,
  applying,
  awaitedDigest,
  awaiting,
  breached,
  huge,
  inTrouble,
  large,
  paused,
  standingBy,
  statuses,
} from '../../../watch/statuses.ts';
import { applyingApproved, applyingRetried, drifted, refused } from '../../../watch/asking-statuses.ts';
import { minute, resource } from '../../../watch/company.ts';
import { hostile } from '../../hostile-text.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const runs = Number(process.env['RUNS'] ?? sampleSize(20, 150));

// Everything the templates put on a page; whatever else is there came from a value.
const elements = new Set(
  `html head meta title link style noscript body svg symbol path circle rect use g text script div header main footer
   section article h1 h2 h3 p span strong b a code pre ul li dl dt dd details summary time progress form label input
   select option button nav wbr`.split(/\s+/),
);
const attributes = new Set(
  `lang charset name content rel href class viewBox aria-hidden aria-label aria-live role id d cx cy r hidden data-age
   data-poll data-r datetime title x y width height rx preserveAspectRatio value max tabindex transform open
   http-equiv data-part method action type name maxlength autocomplete selected for`.split(/\s+/),
);
const links =
  /^(#(i-[a-z-]+|reach|rules|exposed|action|applying|failures)|\.\/(\?[\w%.=&+*-]+)?(#resources)?|details\?[\w%.=&+*-]+(#part)?|status\.json|metrics|data:image\/svg\+xml,[\w%.~!*'()-]+)$/;

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
    ['somebody has to decide', awaiting, '2 changes require approval, 1 change blocked by deletion protection'],
    ['the manifests are broken', inTrouble, 'Invalid manifests'],
    ['another leads', standingBy, 'Standby'],
    ['it was paused', paused, 'Paused until 2026-03-14 15:00 UTC'],
    ['it was paused without an end', { ...paused, pause: { by: 'ada' } }, 'Paused with no end time'],
    ['the service refuses a change', refused, 'The service refuses 1 change'],
    ['nothing was seen yet', without(allWell), 'First refresh is running'],
  ])('when %s', (_, status, expected) => {
    expect(headline(status)).toBe(expected);
  });
});

describe('the page shows', () => {
  test('what requires approval, why, and the command that approves it', () => {
    const action = words(statusPage(awaiting).html, 'action');
    expect(action).toContain(`sluice approve ${awaitedDigest}`);
    expect(action).toContain('delete ReservedAddr/mqtt-us requires approval');
    expect(action).toContain('LOSES_ADDRESS: mqtt-us.example.com:1883 is lost; a deleted address cannot be recovered');
    expect(action).toContain('protect: false');
  });

  test('what each pending change would do, and the whole plan that an approval covers', () => {
    const action = words(statusPage(awaiting).html, 'action');
    expect(action).toContain('mutual_tls: CertificateAuthority/partners-2025 -> (not set)');
    expect(action).toContain('domain: office.example.com -> hq.example.com');
    expect(action).toContain('The whole plan that the approval covers: 12 lines');
    expect(action).toContain('1 to update, 1 to delete; 2 API requests.');
    expect(words(statusPage(awaiting).html, 'pending')).toContain('What would change: 20 lines');
  });

  test('who approved an apply, when and why', () => {
    const [first, ...rest] = allWell.history;
    const approvals = [{ digest: 'sha256:77', by: 'ada', at: allWell.now - 60_000, reason: 'CHG-1042' }];
    const approved = { ...allWell, history: first === undefined ? [] : [{ ...first, approvals }, ...rest] };
    expect(words(statusPage(approved).html, 'history')).toContain('approved by ada');
    expect(partOf(approved, hrefIn(statusPage(approved).html, 'details?apply='))).toContain(
      'Approved by ada 1 min ago: CHG-1042.',
    );
  });

  test('what triggered the apply that runs, and how far each change has come', () => {
    const section = words(statusPage(applying(2)).html, 'applying');
    expect(section).toContain('Trigger: new revision. Revision: 4f2d1c8 on main shop: let the Dutch branch in');
    expect(section).toContain('Running: 2 update HTTPSEdgeRoute/shop:checkout update HTTPSEdgeRoute/shop:console');
    expect(section).toContain('To do: 1 update HTTPSEdgeRoute/api:orders');
    expect(section).toContain('Done: 2 update HTTPSEdge/shop create HTTPSEdgeRoute/shop:storefront');
    expect(words(statusPage(applyingApproved).html, 'applying')).toContain('Approved by ada 12 s ago: CHG-1042');
    expect(words(statusPage(large).html, 'applying')).toContain('Trigger: new revision, found by sluice reconcile');
  });

  test('which commit a pending change came with, as far as the watch saw it come', () => {
    const { html } = statusPage(awaiting);
    expect(words(html, 'action')).toContain('Cause: commit 4f2d1c8 shop: let the Dutch branch in');
    expect(words(html, 'action')).toContain('Cause: commit b81e00d api: partners sign their requests');
    expect(words(statusPage(huge).html, 'action')).toContain('Cause: commit 4f2d1c8 or an earlier revision');
    expect(words(statusPage(drifted).html, 'action')).toContain('Cause: drift, changed outside sluice');
  });

  test('who paused the watch, when and why, and how to resume', () => {
    expect(words(statusPage(paused).html, 'activity')).toBe(
      'Activity Paused by ada 1 h ago: the migration of the shop. No watch of this stack refreshes or applies anything. This watch has released the lock: ' +
        'you can run sluice apply manually unless another process holds the lock. The pause ends in 3 h. To resume now: sluice resume',
    );
    expect(words(statusPage({ ...awaiting, role: 'paused', pause: {} }).html, 'verdict')).toContain(
      'Paused with no end time No sluice watch process applies changes to this stack during the pause; approved changes are applied after the pause ends. To resume now, run sluice resume. Status apart from the pause: 2 changes require approval',
    );
  });

  test('what an approval does, what follows automatically, and what it does not cover', () => {
    const approval = words(statusPage(awaiting).html, 'approval');
    expect(approval).toMatch(
      /^If you approve Applied immediately: 2 changes update HTTPSEdge\/\S+ delete ReservedAddr\/\S+ Access is opened .* Permanently lost /,
    );
    expect(approval).toMatch(
      /Applied automatically after the approved changes delete CertificateAuthority\/partners-2025 Not covered by the approval replace AgentIngress\/office \(blocked by deletion protection\) Who can reach what, now and after approval /,
    );
    const { summary } = huge.awaited!;
    const many = words(statusPage(huge).html, 'approval');
    for (const { kind, count } of summary.changes) expect(many).toContain(`${String(count)} ${kind}`);
    expect(many).toMatch(/ and \d+ more [A-Z]\w+\/.* more: show all/);
    expect(words(statusPage(refused).html, 'approval')).toContain('Nothing requires approval.');
    expect(words(statusPage(standingBy).html, 'approval')).toBe(
      'If you approve A standby takes no approvals. Approve changes on the status page of the leader.',
    );
    expect(words(statusPage(huge).html, 'actions')).toContain(`${String(summary.hazards[0]?.count)} LOSES_ADDRESS`);
  });

  test('a change that fails during an apply at once: with its reason, not as done, and as an action unless it is retried', () => {
    const [refusing, retrying] = [statusPage(applyingApproved).html, statusPage(applyingRetried).html];
    expect(headline(applyingApproved)).toBe('Applying 4 changes, 1 failed');
    expect(words(refusing, 'activity')).toContain('Applying: 1 done, 1 failed, of 4 changes');
    expect(words(refusing, 'actions')).toMatch(
      /1 change refused by the service, for \d+ s HTTPSEdgeRoute\/shop:console/,
    );
    expect(words(refusing, 'applying')).toContain(
      'Failed: 1 update HTTPSEdgeRoute/shop:console PATCH /edges/https/edghts_1s/routes/edghtsrt_4c returned 422: unknown group staff Action required: each attempt fails until the cause is corrected.',
    );
    expect(words(retrying, 'activity')).toContain('Applying: 1 done, 1 failed, 1 skipped, of 4 changes');
    expect(words(retrying, 'actions')).toBe('Action required None. sluice retries HTTPSEdge/api automatically.');
    expect(words(retrying, 'applying')).toContain('sluice retries automatically.');
    expect(words(retrying, 'applying')).toContain('depends on HTTPSEdge/api, which was not done');
  });

  test('a change that the service refuses as an action, with what to do', () => {
    const { html } = statusPage(refused);
    expect(words(html, 'actions')).toContain('1 change refused by the service');
    expect(words(html, 'action')).toContain('returned 422: unknown signer Cause: commit 4f2d1c8');
    expect(words(html, 'action')).toContain(
      'Correct HTTPSEdgeRoute/api:partners at manifests/api.yaml:25, or what it refers to in the account.',
    );
    expect(words(html, 'pending')).toBe('');
  });

  test('a message that repeats a hazard only once, because of the code that it names', () => {
    const change = awaiting.pending.find(({ hazardCode }) => hazardCode === 'OPENS_ACCESS');
    const { awaited: _plan, ...unplanned } = awaiting;
    const shown = (one: typeof change): string => words(statusPage({ ...unplanned, pending: [one!] }).html, 'action');
    const { hazardCode: _, ...plain } = change!;
    expect(shown(change).split('are no longer subject to')).toHaveLength(2);
    expect(shown(plain).split('are no longer subject to')).toHaveLength(3);
  });

  test('what is pending because of a dependency', () => {
    expect(words(statusPage(awaiting).html, 'pending')).toContain(
      'delete CertificateAuthority/partners-2025 waits for HTTPSEdge/api, for 26 min Applied automatically once the changes that require approval are done.',
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

  test('the last applies, each with its plan on a page of its own', () => {
    const { html } = statusPage(allWell);
    expect(words(html, 'history')).toContain('2 updated');
    const failed = partOf(allWell, hrefsIn(html, 'details?apply=').at(-1) ?? '');
    expect(failed).toContain('update: failed');
    expect(failed).toContain('description "Public shop" → "Public shop, now in Dutch too"');
  });

  test('the resources that a query asks for', () => {
    const shown = (search: string): string => words(statusPage(large, search).html, 'resources');
    expect(shown('?q=TEAM-31&kind=HTTPSEdge')).toMatch(/Showing all 1 .*requires approval HTTPSEdge\/team-31/);
    expect(shown('?status=drifted')).toContain('Showing all 3');
    expect(shown('?status=in-sync&page=2')).toMatch(/Showing 31 to 60 of 293 .*Previous Page 2 of 10 Next/);
    expect(shown('?status=in-sync&page=99')).toContain('Page 10 of 10');
    expect(shown('?q=nothing-of-that-name')).toContain('No resources match');
    expect(shown('?page=-1&status=none&kind=')).toContain('293 in sync not listed: show them');
  });

  test('a resource by its address: what it depends on, what depends on it, what would change', () => {
    const part = partOf(awaiting, 'details?resource=HTTPSEdge%2Fapi');
    expect(part).toContain('Depends on CertificateAuthority/partners-2026');
    expect(part).toContain('Required by HTTPSEdgeRoute/api:ordersHTTPSEdgeRoute/api:partners');
    expect(part).toContain('mutual_tls: CertificateAuthority/partners-2025 -> (not set)');
    for (const unknown of ['', 'resource=HTTPSEdge/none', 'apply=x', 'section=constructor', 'section=rules'])
      expect(statusDetails(awaiting, `?${unknown}`)).toBeUndefined();
  });
});

describe('of 10,000 resources', () => {
  const page = statusPage(huge).html;
  const everyTrouble: WatchStatus = {
    ...huge,
    pending: [...huge.pending, ...many(awaiting.pending), ...many(inTrouble.pending)],
    driftConflicts: many(inTrouble.driftConflicts),
    failures: many(inTrouble.failures),
    diagnostics: many(inTrouble.diagnostics),
    exposures: many(breached.exposures),
    ruleBreaches: many(breached.ruleBreaches),
    applying: {
      ...applying(2).applying!,
      changes: many(changeProgresses).map((progress, at) => ({
        address: `HTTPSEdge/team-${String(at)}`,
        action: 'update',
        progress,
      })),
    },
  };

  test.each(Object.entries({ 'some are pending': huge, 'there is every trouble 200 times': everyTrouble }))(
    'the page has less than 200 KB and 2,000 elements when %s',
    (_, status) => {
      const { html } = statusPage(status);
      expect(html.length).toBeLessThan(200_000);
      expect(parsed(html).all.length).toBeLessThan(2_000);
    },
  );

  test.each(['action', 'reach', 'history'])('the rest of a section is on a page of its own: %s', (section) => {
    expect(hrefsIn(page, `details?section=${section}`)).not.toEqual([]);
    expect(partOf(huge, `details?section=${section}`).length).toBeGreaterThan(words(page, section).length);
  });

  test('long differences and plans are complete where they are linked to', () => {
    const [deleted] = huge.pending;
    expect(partOf(huge, `details?resource=${encodeURIComponent(deleted!.address)}`)).toContain(
      'rule 119: 192.0.2.119/32',
    );
    expect(partOf(huge, hrefIn(page, 'details?plan='))).toHaveLength(plainLength(huge.awaited?.plan ?? ''));
    expect(partOf(huge, hrefIn(page, 'details?apply='))).toContain('HTTPSEdge/team-799: description changed');
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

function many<T>(some: readonly T[]): readonly T[] {
  return Array.from({ length: 200 }, () => some).flat();
}

function hrefsIn(html: string, start: string): string[] {
  return parsed(html)
    .all.flatMap(({ attrs }) => attrs.flatMap(({ name, value }) => (name === 'href' ? [value] : [])))
    .filter((href) => href.startsWith(start));
}

function hrefIn(html: string, start: string): string {
  const [first] = hrefsIn(html, start);
  if (first === undefined) throw new Error(`no link begins with ${start}`);
  return first;
}

/** What the page of a part says. */
function partOf(status: WatchStatus, href: string): string {
  const { search } = new URL(href, 'http://localhost/');
  return words(statusDetails(status, search)?.html ?? '', 'part');
}

function plainLength(text: string): number {
  return text.replace(/\s+/g, ' ').trim().length;
}

function without({ lastRefresh: _, lastSuccess: __, ...status }: WatchStatus): WatchStatus {
  return { ...status, resources: [] };
}
