import type { AccessEffect } from '../../model/exposure/access-comparison.ts';

/** What a change does for whoever uses a URL, in a few words. */
export const accessEffectWords: Readonly<Record<AccessEffect, string>> = {
  public: 'becomes public',
  opened: 'opened to more clients',
  changed: 'open to different clients',
  new: 'new',
  restricted: 'restricted',
  gone: 'no longer reachable',
  unchanged: 'access unchanged',
};
