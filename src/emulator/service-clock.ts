/** The time of the service: the real time, or a frozen time. Either can be advanced. */
export interface ServiceClock {
  readonly now: () => Date;
  /** Whether the time changes only through `advance`. */
  readonly frozen: boolean;
  readonly advance: (seconds: number) => void;
}

/** Creates a clock that is frozen at a time, or follows the real time. */
export function serviceClock(start?: Date): ServiceClock {
  let ahead = 0;
  return {
    now: () => new Date((start?.getTime() ?? Date.now()) + ahead),
    frozen: start !== undefined,
    advance: (seconds) => {
      ahead += seconds * 1000;
    },
  };
}
