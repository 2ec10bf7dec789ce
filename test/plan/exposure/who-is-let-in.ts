/*
 * Who is let in at a place and path, by each thing that can be asked, judged by support/admission.ts, which knows the
 * API's description and nothing of plans. What is asked in one respect does not depend on another, so two judgements
 * are compared respect by respect.
 */
import { admission } from '../../support/admission.ts';
import { doorsAt, doorsOf, routeFor, type Door, type Seen } from '../../support/front-door.ts';
import { blank, shown } from '../visitors.ts';

/** Who is let in, by respect; undefined where requests reach nothing. */
export interface LetIn {
  readonly by: ReadonlyMap<string, ReadonlySet<number>>;
  /** Anybody, without showing anything; with OPTIONS at least. */
  readonly isPublic: boolean;
  readonly isPublicForOptions: boolean;
}

const doors = new WeakMap<readonly Seen[], readonly Door[]>();
const judged = new Map<string, LetIn | undefined>();

/** Judges one place and path of an account. */
export function whoIsLetIn(reading: readonly Seen[], place: string, path: string): LetIn | undefined {
  const all = doors.get(reading) ?? doorsOf(reading);
  doors.set(reading, all);
  const [door] = doorsAt(all, place);
  const route = door === undefined ? undefined : routeFor(door, place, path);
  if (door === undefined || route === undefined) return undefined;
  const { hostports: _, ...edge } = door.edge.spec;
  const { match: __, ...modules } = route.spec;
  const key = JSON.stringify([edge, modules]);
  if (!judged.has(key)) judged.set(key, judge(reading, place, path));
  return judged.get(key);
}

function judge(reading: readonly Seen[], place: string, path: string): LetIn | undefined {
  const of = admission(reading, place, path);
  const nobody = of(blank);
  if (typeof nobody === 'string') return undefined;
  const by = new Map(
    Object.entries(shown).map(([names, visitors]) => {
      const looking = new Set(names.split(' '));
      const passing = visitors.flatMap((visitor, index) => {
        const found = of({ ...blank, ...visitor });
        return typeof found !== 'string' && found.unmet.every((name) => !looking.has(name)) ? [index] : [];
      });
      return [names, new Set(passing)] as const;
    }),
  );
  const options = of({ ...blank, isOptions: true });
  const unmetOptions =
    typeof options === 'string' ? ['nobody'] : options.unmet.filter((name) => nobody.asked.includes(name));
  return { by, isPublic: nobody.asked.length === 0, isPublicForOptions: unmetOptions.length === 0 };
}

const filters: ReadonlySet<string> = new Set(['tls_termination', 'user_agent_filter', 'traffic_policy']);

/** Whether somebody is let in whom the other judgement refused; by access controls alone, or by filters too. */
export function letsInMore(now: LetIn, before: LetIn, by: 'controls' | 'filters too'): boolean {
  return [...now.by].some(
    ([names, visitors]) =>
      (by === 'filters too' || !filters.has(names)) &&
      [...visitors].some((one) => before.by.get(names)?.has(one) !== true),
  );
}
