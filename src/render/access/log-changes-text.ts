import { counted } from '../../diagnostics/counted.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { RequestChange } from '../../plan/access-policy/request-change.ts';
import { table } from '../text/table.ts';
import type { Palette } from '../text/palette.ts';

/** What a plan changes for the requests of a log, the most frequent first. */
export function logChangesText(
  changes: readonly { readonly url: string; readonly change: RequestChange; readonly count: number }[],
  { requests, changed, unread, unlisted }: Readonly<Record<'requests' | 'changed' | 'unread' | 'unlisted', number>>,
  palette: Palette,
): string {
  const rows = changes.map(({ url, change, count }) => [String(count), changeText(change), safeText(url, 300)]);
  return [
    ...(rows.length === 0 ? [] : [table(['COUNT', 'CHANGE', 'REQUEST'], rows, palette), '\n']),
    `The plan changes access for ${changed} of ${requests} requests.`,
    ...(unlisted === 0 ? [] : [` ${unlisted} changed requests are not listed (limit: 1000 URLs).`]),
    ...(unread === 0 ? [] : [` ${counted(unread, 'line')} of the log could not be read.`]),
    '\n',
  ].join('');
}

function changeText(change: RequestChange): string {
  switch (change.type) {
    case 'reachable':
      return 'becomes reachable';
    case 'unreachable':
      return 'no longer reachable';
    case 'requires':
      return `requires ${change.controls.join(', ')}`;
    case 'requires-no-longer':
      return `no longer requires ${change.controls.join(', ')}`;
  }
}
