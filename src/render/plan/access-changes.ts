import { compareText } from '../../model/compare-text.ts';
import type { Hazard, Plan } from '../../model/plan.ts';
import { anyoneInWords } from '../../plan/exposure/access.ts';

/** A hazard about who can reach what: which URLs, and what is required of whom. */
export interface AccessChange {
  readonly hazard: Hazard;
  /** What happens to the URLs, in two or three words. */
  readonly what: string;
  readonly urls: readonly string[];
  readonly before: string;
  readonly after: string;
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
          : [{ hazard, what: words, urls, before: asked.before || anyoneInWords, after: asked.after || anyoneInWords }];
      })
      .sort(
        (a, b) => compareText(a.hazard.address, b.hazard.address) || compareText(a.hazard.message, b.hazard.message),
      ),
  );
}

/** The hazards about something else. */
export function otherHazards({ hazards }: Pick<Plan, 'hazards'>): readonly Hazard[] {
  return hazards.filter(({ urls, asked }) => urls === undefined || asked === undefined);
}
