/** The share of requests that the service refuses whatever the rate, and how many refusals in a row it explains. */
export interface Noise {
  readonly passed: () => void;
  readonly refused: () => void;
  /** Requests are refused whatever the rate. */
  readonly found: () => void;
  /** The refusals so far have another cause. */
  readonly reset: () => void;
  /** Undefined where none is known. */
  readonly share: () => number | undefined;
  /** More are refused than chance does. */
  readonly isTooMuch: () => boolean;
  /** So many refusals in a row are not by chance. */
  readonly mostInARow: () => number;
}

// Each answer counts for so much less than the one after it.
const fading = 0.995;
const negligible = 0.002;
const tooMuch = { share: 0.5, of: 40 };
const byChance = 0.001;
const inARow = { unknown: 2, fewest: 3, most: 5 };

/** Makes one that knows of no noise. */
export function createNoise(): Noise {
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
    found: () => (isKnown = true),
    reset: () => {
      [isKnown, all, refused] = [false, 0, 0];
    },
    share,
    isTooMuch: () => isKnown && all >= tooMuch.of && refused / all >= tooMuch.share,
    mostInARow: () => {
      const known = share();
      if (known === undefined) return inARow.unknown;
      const explained = Math.ceil(Math.log(byChance) / Math.log(Math.min(known, 0.9)));
      return Math.min(Math.max(explained, inARow.fewest), inARow.most);
    },
  };
}
