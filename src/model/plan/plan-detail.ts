/** How much of a plan a comment shows: everything, what is risky with its URLs and resources, or numbers alone. */
export const planDetails = ['full', 'hazards', 'counts'] as const;

/** One of those. */
export type PlanDetail = (typeof planDetails)[number];

/** The one of two that shows less. */
export function lessDetail(one: PlanDetail, other: PlanDetail): PlanDetail {
  return planDetails[Math.max(planDetails.indexOf(one), planDetails.indexOf(other))] ?? 'counts';
}
