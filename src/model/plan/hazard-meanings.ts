import type { CodeMeaning } from '../../diagnostics/remedies.ts';
import type { Hazard } from './plan.ts';

/** What each hazard means, and what to do about it. */
export const hazardMeanings: Readonly<Record<Hazard['code'], CodeMeaning>> = {
  EXPOSES_PUBLICLY: {
    meaning:
      'URLs that were not public become public, and `access.public` does not list them; the plan has one line for each edge',
    remedy:
      'Add access control to the route, such as `oauth`; or, if anyone may reach the URLs, list them in `access.public` of sluice.yaml. `--allow EXPOSES_PUBLICLY` allows the hazard once.',
  },
  PUBLICLY_EXPOSED: {
    meaning:
      'URLs are public now, but should not be: either they were opened outside sluice, or `access.public` does not list them, or the state is lost and the manifests require access control for them',
    remedy:
      'If the plan ends the public access, apply the plan; otherwise add access control to the route, or list the URLs in `access.public`.',
  },
  OPENS_ACCESS: {
    meaning:
      'requests need to satisfy less access control than before: access control is deleted, disabled, lets more clients pass or lets them stay signed in for longer; or a webhook secret is replaced; or a traffic policy is added, changed or removed; or the endpoint configuration of a reserved address is removed or replaced; or requests move to a route or edge with less access control; or unreachable URLs become reachable again with less access control than before; or requests reach a backend with less access control than each of its URLs had before',
    remedy:
      'Restore the access control in the manifest; or, if the change is intended and blocked, pass `--allow OPENS_ACCESS`.',
  },
  RESTRICTS_ACCESS: {
    meaning:
      'requests need to satisfy more access control than before: access control is added; or one of these is removed or replaced: an entry of an allow list, a certificate authority, a provider, an issuer, an IP policy, a webhook secret',
    remedy: 'Make sure that all legitimate clients can satisfy the new requirements.',
  },
  LOSES_ADDRESS: {
    meaning: 'a reserved address is deleted or replaced',
    remedy:
      'Check that no client uses the address: the service assigns addresses, and does not assign the same address again.',
  },
  DELETES_UNMARKED: {
    meaning:
      'a resource is deleted that no longer has the ownership marker of this stack: another client has removed the marker, or another stack has adopted and released the resource',
    remedy:
      'Check that no other stack or client uses the resource. To keep the resource in the account, run `sluice state forget ADDRESS` before the apply.',
  },
  INTERRUPTS_TRAFFIC: {
    meaning: 'a public URL no longer exists, or requests no longer reach a backend, permanently or during the apply',
    remedy:
      'Apply when the interruption is acceptable, or keep the resource that serves the URL until another resource serves it.',
  },
  REISSUES_CREDENTIAL: {
    meaning: 'an SSH host certificate is deleted or replaced',
    remedy: 'Install the new certificate on all hosts that use the old certificate.',
  },
  ADOPTS_EXISTING: {
    meaning: 'an existing resource becomes part of the stack',
    remedy: 'Check that the stack may manage the resource: later plans change and delete it as the manifests require.',
  },
  MANY_DELETES: {
    meaning: 'the plan deletes or replaces more resources than `policy.max_deletes` allows',
    remedy: 'If manifests are missing by mistake, restore them; otherwise raise `policy.max_deletes`.',
  },
};
