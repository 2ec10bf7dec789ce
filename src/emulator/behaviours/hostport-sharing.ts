/** Whether a hostport belongs to one edge alone; services differ (decisions/0005). */
export interface HostportSharing {
  readonly hostports?: 'unique' | 'shared';
}

/** The same on a command line. */
export const hostportSharingFlag = {
  flags: '--hostports <how>',
  help: 'whether each hostport belongs to one edge only, or edges may share a hostport',
  choices: ['unique', 'shared'],
} as const;

/** What most services do. */
export const usualHostportSharing: Required<HostportSharing> = { hostports: 'unique' };

/** What other services do. */
export const sharedHostports: HostportSharing = { hostports: 'shared' };

/** Whether a second edge is refused a hostport that is taken, whatever the profile. */
export function refusesSharing({ hostports }: HostportSharing): boolean {
  return hostports !== 'shared';
}
