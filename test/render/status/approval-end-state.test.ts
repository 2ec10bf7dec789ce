import { expect, test } from 'vitest';
import type { AccessComparison } from '../../../src/model/exposure/access-comparison.ts';
import type { Hazard } from '../../../src/model/plan/plan.ts';
import type { PendingChange, WatchStatus } from '../../../src/model/status/watch-status.ts';
import { stackText } from '../../../src/cli/commands/watch/stack-text.ts';
import { accessComparisonLines } from '../../../src/render/access/access-comparison-text.ts';
import { changeGroups } from '../../../src/render/status/change-groups.ts';
import { statusDetails } from '../../../src/render/status/page/status-details.ts';
import { statusPage } from '../../support/status-page.ts';
import { commandsIn } from '../../../src/render/status/sluice-command.ts';
import { statusJson } from '../../../src/render/status/status-json.ts';
import type { StatusJson } from '../../../src/render/status/status-json-schema.ts';
import { jsonText } from '../../../src/render/text/json-text.ts';
import { allWell, awaiting } from '../../watch/statuses.ts';
import { awaitedOf } from '../../watch/calm-status.ts';
import { noon } from '../../watch/company.ts';
import { compared, gone, opened } from '../../watch/waiting-statuses.ts';
import { openNotifications } from '../../watch/notify/open-notifications.ts';

const textOf = (html = ''): string =>
  html.replace(/<style>.*?<\/style>|<script.*?<\/script>|<[^>]*>/gs, ' ').replace(/\s+/g, ' ');

const terminal = (status: WatchStatus): string => stackText(JSON.parse(jsonText(statusJson(status))) as StatusJson);

test('both sides of what an approval does to access are whole, and the same on page, terminal, JSON and in notifications', () => {
  const page = textOf(statusPage(awaiting).html);
  expect(page).toContain(
    'opened to more clients https://api.example.com/orders… https://api.example.com/partners… Now mutual TLS (CertificateAuthority/partners-2025) and authentication (group partners) After approval authentication (group partners)',
  );
  expect(page).toContain('no longer reachable mqtt-us.example.com:1883 Now anyone, unless');
  expect(page).toContain('All other URLs and addresses stay reachable as they are now.');
  for (const line of accessComparisonLines(compared)) expect(terminal(awaiting)).toContain(line);
  expect(statusJson(awaiting).approval_access?.compared.map(({ effect }) => effect)).toEqual(['opened', 'gone']);
  const news = openNotifications(awaiting).find(({ event }) => event === 'action-required');
  expect(news?.access).toEqual(accessComparisonLines(compared));
});

test('an approval that concerns no URL reports that access stays as it is', () => {
  const status = { ...awaiting, awaited: { ...awaiting.awaited!, access: { rows: [], omitted: 0 } } };
  expect(textOf(statusPage(status).html)).toContain(
    'Access does not change: every URL and address stays reachable as it is now.',
  );
  expect(terminal(status)).toContain('Access does not change: every URL and address stays reachable as it is now.');
});

test('of many rows, the page counts those that it leaves out, and has a page for them', () => {
  const [row] = compared.rows;
  const access: AccessComparison = {
    rows: Array.from({ length: 9 }, (_, at) => ({ ...row!, urls: [`https://${String(at)}.example.com/…`], total: 1 })),
    omitted: 5,
  };
  const status = { ...awaiting, awaited: { ...awaiting.awaited!, access } };
  expect(textOf(statusPage(status).html)).toContain('8 more URLs and addresses: show all');
  expect(textOf(statusDetails(status, '?section=access')?.html)).toContain('https://8.example.com/…');
});

test('the addresses of reserved addresses are under who can reach what', () => {
  expect(textOf(statusPage(awaiting).html)).toMatch(
    /Who can reach what now .*anyone, unless the endpoint configuration of the address restricts access 2 addresses .*mqtt-eu\.example\.com:1883 ReservedAddr\/mqtt-eu/,
  );
});

const lines = Array.from({ length: 62 }, (_, at): PendingChange => ({
  ...gone,
  address: `ReservedAddr/line-${String(at)}`,
}));
const authority: PendingChange = { ...gone, address: 'CertificateAuthority/old', hazards: [] };

test('of many changes, what differs from the others is first, and is named', () => {
  const [first, second] = changeGroups([...lines, authority]);
  expect(first).toMatchObject({ isMany: false, changes: [authority] });
  expect(second).toMatchObject({ isMany: true, action: 'delete', kind: 'ReservedAddr' });
  const pending = [...lines, authority];
  const page = textOf(statusPage({ ...allWell, pending, awaited: awaitedOf(pending, '91b2cc04', '') }).html);
  expect(page).toMatch(
    /63 changes delete 1 CertificateAuthority, 62 ReservedAddr delete CertificateAuthority\/old delete 62 ReservedAddr/,
  );
  expect(page).toMatch(/and 59 more ReservedAddr\/line-3 .*ReservedAddr\/line-61 /);
  expect(page).toMatch(/63 changes require approval .* - delete CertificateAuthority\/old requires approval/);
});

test('of two that differ, the one with the more severe hazard is first', () => {
  expect(changeGroups([gone, opened]).map(({ changes }) => changes[0])).toEqual([opened, gone]);
});

const restricts: Hazard = {
  code: 'RESTRICTS_ACCESS',
  address: 'HTTPSEdge/api',
  message: 'requests to https://api.example.com/… are subject to mutual TLS',
  urls: ['https://api.example.com/…'],
  asked: { before: '', after: 'mutual TLS (CertificateAuthority/partners-2026)' },
};

test('a change that restricts access reports who still gets in until it is applied, wherever it waits', () => {
  const failing: PendingChange = { ...opened, reason: 'retry', hazards: [restricts] };
  const failure = {
    scope: 'HTTPSEdge/api',
    code: 'X',
    message: 'busy',
    since: noon,
    attempts: 1,
    nextAttempt: noon + 1,
  };
  const status: WatchStatus = { ...allWell, pending: [failing], failures: [failure] };
  const still = 'Until the change is applied, anyone can still reach https://api.example.com/…';
  expect(textOf(statusPage(status).html)).toContain(still);
  expect(terminal(status)).toContain(still);
  expect(statusJson(status).pending[0]?.still_open).toEqual([still]);
  const [news] = openNotifications({ ...status, pending: [{ ...failing, reason: 'refused' }], failures: [] });
  expect(news?.items[0]?.message).toContain(still);
});

test('a command in an advice is one for the stack in its directory', () => {
  expect(commandsIn('run `sluice state rebuild`, or set `watch.prune`', '/srv/a shop')).toBe(
    "run `sluice -C '/srv/a shop' state rebuild`, or set `watch.prune`",
  );
  expect(commandsIn('run `sluice -C x apply`', '/srv')).toBe('run `sluice -C x apply`');
  expect(commandsIn('run `sluice apply`', undefined)).toBe('run `sluice apply`');
});

test('what keeps an approval from being given comes before what is to be approved', () => {
  const failure = {
    scope: 'watch-state',
    code: 'FILE_NOT_WRITTEN',
    message: 'is a directory',
    since: noon,
    attempts: 1,
  };
  const status: WatchStatus = { ...awaiting, failures: [failure] };
  expect(statusJson(status).action_required[0]?.summary).toBe('the watch state cannot be written');
  const page = textOf(statusPage(status).html);
  expect(page.indexOf(' Errors ')).toBeGreaterThan(-1);
  expect(page.indexOf(' Errors ')).toBeLessThan(page.lastIndexOf('2 changes require approval'));
});

test('an approval says what a URL no longer requires although nobody can reach it now, and what OPTIONS requests may do', () => {
  const url = 'https://api.example.com/orders…';
  const asked = { before: 'authentication (group partners)', after: 'authentication' };
  const hazard = (code: Hazard['code'], message: string, urls: readonly string[]): Hazard => ({
    code,
    address: 'HTTPSEdge/api',
    message,
    urls,
    asked,
  });
  const pending = [
    {
      ...opened,
      hazards: [
        hazard('OPENS_ACCESS', `requests to ${url} are served again`, [url]),
        hazard('EXPOSES_PUBLICLY', `OPTIONS ${url} becomes public`, [`OPTIONS ${url}`]),
      ],
    },
  ];
  const side = { audience: 'restricted', who: 'authentication' } as const;
  const withEffect = (effect: AccessComparison['rows'][number]['effect']): string => {
    const row = { effect, urls: [url], total: 1, now: { audience: 'nobody', who: 'nobody' }, after: side } as const;
    return textOf(
      statusPage({ ...awaiting, pending, awaited: { ...awaiting.awaited!, access: { rows: [row], omitted: 0 } } }).html,
    );
  };
  expect(withEffect('new')).toContain(`Becomes public OPTIONS ${url} becomes public`);
  expect(withEffect('new')).toContain(`Access is opened requests to ${url} are served again`);
  expect(withEffect('opened')).not.toContain('Access is opened');
});
