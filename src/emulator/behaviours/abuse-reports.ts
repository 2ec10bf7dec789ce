import { hostOfUrl } from '../../kinds/formats/web-names.ts';
import type { Stored } from '../family.ts';
import { textsOf } from '../forms/plain.ts';
import type { Behaviour, EmulatorWorld } from '../world.ts';

const minute = 60_000;
/** A ban is lifted after thirty days. */
const banLasts = 30 * 24 * 60 * minute;

/** Reports are only for keys that were granted access; their hostnames are judged one a minute. */
export const abuseReportBehaviour: Behaviour = {
  live: () => true,
  granted: ({ settings }) => settings.abuseReports === 'granted',
  show: (read, resource, world) => {
    const hostnames = hostnamesOf(resource).map((hostname, index) => ({
      hostname,
      status: verdictOnHostname(hostname, index, resource, world),
    }));
    const pending = hostnames.filter(({ status }) => status === 'PENDING').length;
    const status = pending === hostnames.length ? 'PENDING' : pending === 0 ? 'PROCESSED' : 'PARTIALLY_PROCESSED';
    return { ...read, status, hostnames };
  },
};

function verdictOnHostname(hostname: string, index: number, { created_at }: Stored, world: EmulatorWorld): string {
  const since = world.settings.clock().getTime() - Date.parse(created_at) - (index + 1) * minute;
  if (since < 0) return 'PENDING';
  if (world.chance.number(2, 'abuse', hostname) === 0) return 'IGNORE';
  return since < banLasts ? 'BANNED' : 'UNBANNED';
}

function hostnamesOf({ spec }: Stored): string[] {
  return [...new Set(textsOf(spec['urls']).map((url) => hostOfUrl(url) ?? hostOfOther(url)))];
}

/** Where rules are not enforced, a URL may be of another scheme, or none: what is before a port looks like one. */
function hostOfOther(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase() : '';
  return host === '' ? url : host;
}
