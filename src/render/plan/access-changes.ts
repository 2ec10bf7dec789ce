import type { Address } from '../../model/address.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';
import type { Hazard, Plan } from '../../model/plan/plan.ts';
import { anyoneInWords } from '../../plan/exposure/access.ts';
import { accessEffectWords } from '../access/access-comparison-text.ts';
import { splitByCause } from './drift.ts';

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
const codes: readonly Hazard['code'][] = ['EXPOSES_PUBLICLY', 'PUBLICLY_EXPOSED', 'OPENS_ACCESS', 'RESTRICTS_ACCESS'];

/** What a plan changes for whoever asks for a URL: what becomes public, what is public now, what is opened and restricted. */
export function accessChanges({ hazards }: Pick<Plan, 'hazards'>): readonly AccessChange[] {
  return codes.flatMap((code) =>
    hazards
      .flatMap((hazard): AccessChange[] => {
        const { urls, asked } = hazard;
        if (hazard.code !== code || urls === undefined || asked === undefined) return [];
        const [before, after] = [asked.before || anyoneInWords, asked.after || anyoneInWords];
        return [{ hazards: [hazard], what: wordsOf(code, asked), urls, before, after, routes: [] }];
      })
      .sort(byAddress),
  );
}

/** Public is what anyone can reach, whether the stack file allows it or not. */
function wordsOf(code: Hazard['code'], { before, after }: NonNullable<Hazard['asked']>): string {
  if (code === 'PUBLICLY_EXPOSED') return 'public now';
  if (code === 'RESTRICTS_ACCESS') return accessEffectWords.restricted;
  const isOpen = after === '' && before !== '';
  return code === 'EXPOSES_PUBLICLY' || isOpen ? accessEffectWords.public : accessEffectWords.opened;
}

function byAddress({ hazards: [a] }: AccessChange, { hazards: [b] }: AccessChange): number {
  return inNaturalOrder(a?.address ?? '', b?.address ?? '') || inNaturalOrder(a?.message ?? '', b?.message ?? '');
}

/** The same, a row for each: what is reported twice of the same URLs is one row, those of new routes with access control are rows of their own. */
export function accessRows(plan: Pick<Plan, 'hazards' | 'exposureChanges' | 'changes'>): readonly AccessChange[] {
  const rows: AccessChange[] = [];
  for (const change of accessChanges(plan)) {
    const same = rows.findIndex((row) => saysAsMuch(row, change));
    if (same === -1) rows.push(change);
    else rows.splice(same, 1, both(rows[same] ?? change, change));
  }
  const shown = new Set(rows.flatMap(({ urls }) => urls));
  const repaired = new Set(splitByCause(plan.changes).repairs.map(({ address }) => address));
  return [
    ...rows.map((row) => (isRepair(row) ? { ...row, what: `${row.what} (reverts drift)` } : row)),
    ...onNewRoutes(plan, shown),
  ];

  function isRepair({ hazards }: AccessChange): boolean {
    return hazards.every(({ address }) => repaired.has(address));
  }
}

/** Whether two rows are about the same, from the same to the same; the first may have more URLs that become public. */
function saysAsMuch(row: AccessChange, later: AccessChange): boolean {
  const [first, second] = [row.hazards[0]?.code, later.hazards[0]?.code];
  const isOneMovement =
    (first === 'EXPOSES_PUBLICLY' && second === 'OPENS_ACCESS') ||
    (first === 'OPENS_ACCESS' && second === 'RESTRICTS_ACCESS' && row.urls.length === later.urls.length);
  return (
    isOneMovement &&
    row.before === later.before &&
    row.after === later.after &&
    later.urls.every((url) => row.urls.includes(url))
  );
}

/** What is opened to some and closed to others changes. */
function both(row: AccessChange, later: AccessChange): AccessChange {
  const what = later.hazards[0]?.code === 'RESTRICTS_ACCESS' ? accessEffectWords.changed : row.what;
  return { ...row, what, hazards: [...row.hazards, ...later.hazards] };
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
    const row = by.get(key) ?? {
      hazards: [],
      what: accessEffectWords.new,
      urls: [],
      before: was,
      after: after.who,
      routes: [],
    };
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
