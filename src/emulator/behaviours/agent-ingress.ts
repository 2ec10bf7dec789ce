import { isSpecObject, type SpecObject, textOf } from '../../kinds/value.ts';
import type { Stored } from '../family.ts';
import { timeOf, type Behaviour, type EmulatorWorld } from '../world.ts';

const second = 1000;
const day = 86_400 * second;
/** How long a certificate takes, how long until it is renewed, and how long until a failed attempt is repeated. */
const provisioningTakes = 30 * second;
const renewsAfter = 60 * day;
const retriesAfter = 300 * second;

const firstRegions = ['us', 'eu', 'ap'];
const laterRegions = ['au', 'sa', 'jp', 'in'];

/** An ingress gets name servers and regional domains (one more region each day), and certificates in time when it has a policy. */
export const agentIngressBehaviour: Behaviour = {
  live: () => true,
  decide: ({ spec, own }, before, { settings }) => {
    const { provisioning_since, ...rest } = own;
    if (spec['certificate_management_policy'] === undefined) return rest;
    const same =
      JSON.stringify(before?.spec['certificate_management_policy']) ===
      JSON.stringify(spec['certificate_management_policy']);
    const since = same && typeof provisioning_since === 'string' ? provisioning_since : timeOf(settings.clock());
    return { ...rest, provisioning_since: since };
  },
  show: (read, resource, world) => ({
    ...read,
    ns_targets: [1, 2, 3, 4].map((n) => `ns${n}.ingress.emulator.invalid`),
    region_domains: regionsOf(resource, world).map((region) => `${region}.${textOf(read['domain'])}`),
    certificate_management_status: statusOf(resource, world),
  }),
};

/** The current certificate of an ingress: requested when the policy was set, and at each renewal. */
function statusOf({ spec, own }: Stored, { settings, account }: EmulatorWorld): SpecObject | null {
  if (!isSpecObject(spec['certificate_management_policy'])) return null;
  const since = Date.parse(textOf(own['provisioning_since']));
  const elapsed = Math.max(0, settings.clock().getTime() - since);
  const domain = textOf(spec['domain']);
  const failure = account.notes.get(provisioningNote(domain));
  if (failure === 'DNS_ERROR')
    return failing(failure, `The NS records of ${domain} do not point at the service.`, since);
  if (failure === 'INTERNAL_ERROR') {
    const attempt = since + Math.floor(elapsed / retriesAfter) * retriesAfter;
    const message = 'The certificate could not be obtained; the service retries.';
    return failing(failure, message, attempt, attempt + retriesAfter);
  }
  const round = Math.floor(elapsed / renewsAfter);
  const begun = since + round * renewsAfter;
  if (elapsed - round * renewsAfter >= provisioningTakes)
    return { renews_at: timeOf(new Date(begun + renewsAfter)), provisioning_job: null };
  return {
    renews_at: round === 0 ? null : timeOf(new Date(begun)),
    provisioning_job: {
      msg: 'Managed certificate provisioning in progress.',
      started_at: timeOf(new Date(begun)),
      retries_at: null,
    },
  };
}

function failing(error_code: string, msg: string, begun: number, again?: number): SpecObject {
  const retries_at = again === undefined ? null : timeOf(new Date(again));
  return { renews_at: null, provisioning_job: { error_code, msg, started_at: timeOf(new Date(begun)), retries_at } };
}

function regionsOf({ created_at, id }: Stored, { settings, chance }: EmulatorWorld): string[] {
  const days = Math.floor((settings.clock().getTime() - Date.parse(created_at)) / day);
  const regions = [...firstRegions, ...laterRegions.slice(0, Math.max(0, days))];
  if (settings.readBack === 'as-sent') return regions;
  const turn = chance.number(regions.length, id, String(regions.length));
  return [...regions.slice(turn), ...regions.slice(0, turn)];
}

/** The key under which the account stores that certificates of a domain fail, and how. */
export function provisioningNote(domain: string): string {
  return `provisioning ${domain.toLowerCase()}`;
}
