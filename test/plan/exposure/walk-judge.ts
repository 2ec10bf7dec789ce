/*
 * What plans leave unsaid, judged by what knows nothing of plans: who is let in before and after each, and who was let in
 * when requests last reached something.
 */
import type { Hazard, Plan } from '../../../src/model/plan/plan.ts';
import { doorsAt, doorsOf, isOn, type Seen } from '../../support/front-door.ts';
import { letsInMore, whoIsLetIn, type LetIn } from './who-is-let-in.ts';

/** A plan with the account before and after it was applied. */
export interface Turn {
  readonly plan: Pick<Plan, 'hazards'>;
  readonly before: readonly Seen[];
  readonly after: readonly Seen[];
  /** The account by the specs in state, with which drift is compared; undefined where state does not know. */
  readonly recorded: readonly Seen[] | undefined;
  /** It was carried out to the end. */
  readonly isWhole: boolean;
}

/** Something that a plan has left unsaid, at a place and path. */
export interface Unsaid {
  readonly place: string;
  readonly path: string;
  readonly what: string;
}

/** Follows the plans of a walk. */
export interface WalkJudge {
  readonly judge: (turn: Turn) => Unsaid[];
  /** What the account is when nobody knows any more how it was: what reaches nothing then is not known either. */
  readonly beginAgain: (now: readonly Seen[]) => void;
}

/** Begins with an empty account. */
export function walkJudge(): WalkJudge {
  const [reported, seen] = [new Map<string, LetIn>(), new Map<string, LetIn>()];
  return {
    judge: ({ plan, before, after, recorded, isWhole }) =>
      points.flatMap(({ place, path }) => {
        const at = `${place}${path}`;
        const known = {
          reported: reported.get(at),
          seen: seen.get(at),
          recorded: recorded === undefined ? ('unknown' as const) : whoIsLetIn(recorded, place, path),
        };
        const what = unsaid(plan, before, after, place, path, known, isWhole);
        const [was, is] = [whoIsLetIn(before, place, path), whoIsLetIn(after, place, path)];
        const closed = isAsApplied(was, known) ? was : reportOf(plan, place, path, was, known.reported);
        const [nowTold, nowSeen] = [is ?? closed, is ?? was];
        if (nowTold !== undefined) reported.set(at, nowTold);
        if (nowSeen !== undefined) seen.set(at, nowSeen);
        return what === undefined ? [] : [{ place, path, what }];
      }),
    beginAgain: (now) => {
      for (const { place, path } of points) {
        const is = whoIsLetIn(now, place, path);
        for (const known of [reported, seen]) {
          if (is === undefined) known.delete(`${place}${path}`);
          else known.set(`${place}${path}`, is);
        }
      }
    },
  };
}

const places = ['a.example.com:443', 'b.example.com:443', 'c.example.com:443'];
const paths = ['/', '/elsewhere', '/x', '/x/below', '/x/y', '/x/y/below', '/x/z', '/x/z/below'];
const points = places.flatMap((place) => paths.map((path) => ({ place, path })));

/** Whether a hazard names the URL of a place and path. */
function isAbout({ urls = [] }: Hazard, place: string, path: string): boolean {
  const host = place.replace(/:\d+$/, '');
  return urls.some((url) => {
    const [, name = '', rest = ''] = /^(?:OPTIONS )?https:\/\/([^/:]+)(\/\S*?)(?: at .*)?$/.exec(url) ?? [];
    const hasHost = name === host || (name.startsWith('*.') && host.endsWith(name.slice(1)));
    return hasHost && (rest.endsWith('…') ? path.startsWith(rest.slice(0, -1)) : rest === path);
  });
}

function says(plan: Pick<Plan, 'hazards'>, codes: readonly Hazard['code'][], place: string, path: string): boolean {
  return plan.hazards.some((hazard) => codes.includes(hazard.code) && isAbout(hazard, place, path));
}

/** What was reported about requests that a plan closes: drift that had let in more is undone, not reported (decisions/0045). */
function reportOf(
  plan: Pick<Plan, 'hazards'>,
  place: string,
  path: string,
  was: LetIn | undefined,
  reported: LetIn | undefined,
): LetIn | undefined {
  if (was === undefined || reported === undefined)
    return says(plan, ['PUBLICLY_EXPOSED'], place, path) ? undefined : was;
  return letsInMore(was, reported, 'controls') ? reported : was;
}

/** What is known of a place and path before a plan. */
interface Known {
  /** Who was let in when requests last reached something, as far as a plan has let that be so. */
  readonly reported: LetIn | undefined;
  /** Who was let in when requests last reached something, drift included. */
  readonly seen: LetIn | undefined;
  /** By the specs in state, with which drift is compared: what comes and goes between two plans is not seen. */
  readonly recorded: LetIn | 'unknown' | undefined;
}

/** Whether nobody is let in whom the specs in state refuse: no drift has opened it. */
function isAsApplied(was: LetIn | undefined, { recorded }: Pick<Known, 'recorded'>): boolean {
  return (
    was !== undefined && recorded !== undefined && recorded !== 'unknown' && !letsInMore(was, recorded, 'controls')
  );
}

/** Whether an edge passes requests on unread: any of its routes may take them, so all paths are public already. */
function isPublicUnread(reading: readonly Seen[], place: string): boolean {
  return doorsAt(doorsOf(reading), place).some(
    ({ edge, routes }) => edge.spec['unread'] === true && routes.some(({ spec }) => isOn(spec['backend'])),
  );
}

/** What a plan leaves unsaid at a place and path, if anything. */
function unsaid(
  plan: Pick<Plan, 'hazards'>,
  before: readonly Seen[],
  after: readonly Seen[],
  place: string,
  path: string,
  { reported, seen, recorded }: Known,
  isWhole: boolean,
): string | undefined {
  const [was, is] = [whoIsLetIn(before, place, path), whoIsLetIn(after, place, path)];
  const opens = says(plan, ['OPENS_ACCESS'], place, path);
  const exposes = says(plan, ['EXPOSES_PUBLICLY'], place, path);
  const exposed = says(plan, ['PUBLICLY_EXPOSED'], place, path);
  const isApplied = recorded === 'unknown' || isAsApplied(was, { recorded });
  if (was !== undefined && reported !== undefined && !isApplied && letsInMore(was, reported, 'controls')) {
    if (
      !opens &&
      !exposed &&
      !says(plan, ['RESTRICTS_ACCESS', 'INTERRUPTS_TRAFFIC'], place, path) &&
      is !== undefined &&
      isWhole
    )
      return 'drift lets in more';
  }
  if (was?.isPublic === true && reported?.isPublic !== true && !isApplied && !exposed) return 'drift makes public';
  if (is === undefined || isPublicUnread(before, place)) return undefined;
  const bases = was === undefined ? [reported, seen].filter((one) => one !== undefined) : [was];
  // An apply that ends early may leave one sign-in in the place of another: which is meant is known at its end alone.
  if (
    isWhole &&
    bases.some((base) => letsInMore(is, base, was === undefined ? 'controls' : 'filters too')) &&
    !opens &&
    !exposes
  )
    return 'lets in more';
  if (is.isPublic && was?.isPublic !== true && !exposes) return 'becomes public';
  if (is.isPublicForOptions && was?.isPublicForOptions !== true && !exposes && !opens)
    return 'becomes public for OPTIONS';
  return undefined;
}
