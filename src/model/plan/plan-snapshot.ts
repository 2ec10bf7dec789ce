/** The snapshot that a plan was made from. */
export interface PlanSnapshot {
  /** RFC 3339. */
  readonly takenAt: string;
  /** The commit of the pipeline that took it. */
  readonly revision?: string;
}
