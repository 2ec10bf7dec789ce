import type { Address } from '../../model/address.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';
import type { Hazard, Plan } from '../../model/plan.ts';
import { anyoneInWords } from '../../plan/exposure/access.ts';

/** A change of who can reach what: which URLs, and what is required of whom. */
export interface AccessChange {
  /** What it is reported as, the first code first; none where access control is there from the beginning. */
  readonly hazards: readonly Hazard[];
  /** What happens to the URLs, in two or three words. */
  readonly what: string;
  readonly urls: readonly string[];
  readonly before: string;
  readonly after: string;
  /** The routes, where no hazard names one. */
  readonly routes: readonly Address[];
}

// In the order in which a reviewer asks.
const what: Partial<Record<Hazard['code'], string>> = {
  EXPOSES_PUBLICLY: 'becomes public',
  PUBLICLY_EXPOSED: 'public now',
  OPENS_ACCESS: 'opened',
  RESTRICTS_ACCESS: 'restricted',
};

/** What a plan changes for whoever asks for a URL: what becomes public, what is public now, what is opened and restricted. */
export function accessChanges({ hazards }: Pick<Plan, 'hazards'>): readonly AccessChange[] {
  return Object.entries(what).flatMap(([code, words]) =>
    hazards
      .filter((hazard) => hazard.code === code)
      .flatMap((hazard): AccessChange[] => {
        const { urls, asked } = hazard;
        return urls === undefined || asked === undefined
          ? []
          : [
              {
                hazards: [hazard],
                what: words,
                urls,
                before: asked.before || anyoneInWords,
                after: asked.after || anyoneInWords,
                routes: [],
              },
            ];
      })
      .sort((a, b) => inNaturalOrder(sortKey(a), sortKey(b))),
  );
}

function sortKey({ hazards: [first] }: AccessChange): string {
  return `${first?.address ?? ''}\n${first?.message ?? ''}`;
}

/** The same, a row for each: URLs that become public by losing their access control are one row, those of new routes with access control are rows of their own. */
export function accessRows(plan: Pick<Plan, 'hazards' | 'exposureChanges' | 'changes'>): readonly AccessChange[] {
  const rows: AccessChange[] = [];
  for (const change of accessChanges(plan)) {
    const same = rows.findIndex((row) => isOpened(change) && saysAsMuch(row, change));
    if (same === -1) rows.push(change);
    else rows.splice(same, 1, both(rows[same] ?? change, change));
  }
  const shown = new Set(rows.flatMap(({ urls }) => urls));
  return [...rows, ...onNewRoutes(plan, shown)];
}

function isOpened({ hazards }: AccessChange): boolean {
  return hazards.every(({ code }) => code === 'OPENS_ACCESS');
}

/** Whether a row about what becomes public has all URLs of what is opened, from the same to the same. */
function saysAsMuch(row: AccessChange, opened: AccessChange): boolean {
  return (
    row.hazards[0]?.code === 'EXPOSES_PUBLICLY' &&
    row.before === opened.before &&
    row.after === opened.after &&
    opened.urls.every((url) => row.urls.includes(url))
  );
}

function both(row: AccessChange, opened: AccessChange): AccessChange {
  return { ...row, what: 'becomes public, opened', hazards: [...row.hazards, ...opened.hazards] };
}

/** URLs that new routes take, and that require something; what anyone can reach is a hazard. */
function onNewRoutes(
  { exposureChanges, changes }: Pick<Plan, 'exposureChanges' | 'changes'>,
  shown: ReadonlySet<string>,
): AccessChange[] {
  const created = new Set(changes.flatMap(({ address, action }) => (action === 'create' ? [address] : [])));
  const by = new Map<string, AccessChange & { readonly urls: string[]; readonly routes: Address[] }>();
  for (const { urls, before, after } of exposureChanges) {
    if (after.audience !== 'restricted' || after.route === undefined || !created.has(after.route)) continue;
    const left = urls.filter((url) => !shown.has(url));
    if (left.length === 0) continue;
    const was = before.audience === 'nobody' ? 'not reachable' : before.who;
    const key = `${was}\n${after.who}`;
    const row = by.get(key) ?? { hazards: [], what: 'new', urls: [], before: was, after: after.who, routes: [] };
    row.urls.push(...left);
    row.routes.push(after.route);
    by.set(key, row);
  }
  return [...by.values()];
}

/** The hazards about something else. */
export function otherHazards({ hazards }: Pick<Plan, 'hazards'>): readonly Hazard[] {
  return hazards.filter(({ urls, asked }) => urls === undefined || asked === undefined);
}
