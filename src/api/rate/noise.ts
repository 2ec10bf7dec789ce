// Each answer counts for so much less than the one after it.
const fading = 0.995;
const negligible = 0.002;
const tooMuch = { share: 0.5, of: 40 };
const byChance = 0.001;
const inARow = { unknown: 2, fewest: 3, most: 5 };

/** The share of requests that the service refuses whatever the rate, and how many refusals in a row it explains. */
export type Noise = ReturnType<typeof createNoise>;

/** Makes one that knows of no noise. */
export function createNoise() {
  let isKnown = false;
  let [all, refused] = [0, 0];

  function count(isRefused: boolean): void {
    all = all * fading + 1;
    refused = refused * fading + (isRefused ? 1 : 0);
    if (isKnown && refused / all < negligible) isKnown = false;
  }
  function share(): number | undefined {
    return isKnown ? refused / all : undefined;
  }

  return {
    passed: () => count(false),
    refused: () => count(true),
    /** Requests are refused whatever the rate. */
    found: () => (isKnown = true),
    /** The refusals so far have another cause. */
    reset: () => {
      [isKnown, all, refused] = [false, 0, 0];
    },
    /** Undefined where none is known. */
    share,
    /** More are refused than chance does. */
    isTooMuch: () => isKnown && all >= tooMuch.of && refused / all >= tooMuch.share,
    /** So many refusals in a row are not by chance. */
    mostInARow: () => {
      const known = share();
      if (known === undefined) return inARow.unknown;
      const explained = Math.ceil(Math.log(byChance) / Math.log(Math.min(known, 0.9)));
      return Math.min(Math.max(explained, inARow.fewest), inARow.most);
    },
  };
}
