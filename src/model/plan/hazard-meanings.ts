import type { CodeMeaning } from '../../diagnostics/code-meaning.ts';
import type { Hazard } from './plan.ts';

/** What each hazard means, and what to do about it. */
export const hazardMeanings: Readonly<Record<Hazard['code'], CodeMeaning>> = {
  EXPOSES_PUBLICLY: {
    meaning: 'URLs that were not public become public, and `access.public` does not list them; one line for each edge',
    remedy:
      'Add access control to the route, such as `oauth`; or list the URLs in `access.public` of sluice.yaml if anyone may reach them. `--allow EXPOSES_PUBLICLY` allows it once.',
  },
  PUBLICLY_EXPOSED: {
    meaning:
      'URLs are public now and not meant to be: somebody opened them outside sluice, `access.public` does not list them, or the state is lost and the manifests protect them',
    remedy:
      'Apply the plan if it closes them; else add access control to the route, or list the URLs in `access.public`.',
  },
  OPENS_ACCESS: {
    meaning:
      'requests need less than before: access control is deleted, disabled or lets more clients pass; requests move to a route or edge with less of it; requests that reached nothing for a while reach a backend again with less than they last did',
    remedy:
      'Restore the access control in the manifest; or pass `--allow OPENS_ACCESS` if the change is intended and `policy.block` lists the hazard.',
  },
  RESTRICTS_ACCESS: {
    meaning:
      'requests need more than before: a new access control, or an entry of an allow list, a certificate authority, a provider, an issuer, an IP policy or a webhook secret is removed or exchanged',
    remedy: 'Make sure that those who must still pass can satisfy what is required after the plan.',
  },
  LOSES_ADDRESS: {
    meaning: 'a reserved address is deleted or replaced',
    remedy: 'Check that no client uses the address: the service assigns it, and does not give the same one again.',
  },
  INTERRUPTS_TRAFFIC: {
    meaning:
      'a public URL no longer exists, requests no longer reach a backend, or do not reach one temporarily during the apply',
    remedy: 'Apply when the interruption is acceptable, or keep what served the URL until another resource does.',
  },
  REISSUES_CREDENTIAL: {
    meaning: 'a host certificate is deleted or replaced',
    remedy: 'Install the new certificate where the old one is used.',
  },
  ADOPTS_EXISTING: {
    meaning: 'an existing resource becomes part of the stack',
    remedy: 'Check that the stack may manage it: later plans change and delete it as the manifests require.',
  },
  MANY_DELETES: {
    meaning: 'the plan deletes more than `policy.max_deletes` allows',
    remedy: 'Restore the manifests if they are missing by mistake; else raise `policy.max_deletes`.',
  },
};
