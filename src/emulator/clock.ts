/** The service's time: the real one, or one that begins at a moment and stands still. Either moves on when told. */
export interface ServiceClock {
  readonly now: () => Date;
  /** Whether it moves only when told. */
  readonly stands: boolean;
  readonly advance: (seconds: number) => void;
}

/** Makes a clock that stands at a moment, or runs with the real time. */
export function serviceClock(start?: Date): ServiceClock {
  let ahead = 0;
  return {
    now: () => new Date((start?.getTime() ?? Date.now()) + ahead),
    stands: start !== undefined,
    advance: (seconds) => {
      ahead += seconds * 1000;
    },
  };
}
