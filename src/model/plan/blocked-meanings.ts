import type { CodeMeaning } from '../../diagnostics/remedies.ts';
import type { Blocked } from './plan.ts';

/** What each reason means for which a change is blocked, and what to do about it. */
export const blockedMeanings: Readonly<Record<Blocked['code'], CodeMeaning>> = {
  PROTECTED: {
    meaning: 'the change deletes or replaces a resource with `lifecycle.protect: true`',
    remedy: 'Keep the resource in the manifests; or set `lifecycle.protect: false`, apply, then make the change.',
  },
  CONTAINS_PROTECTED: {
    meaning: 'the service would delete a protected resource together with the resource that contains it',
    remedy: 'Set `lifecycle.protect: false` on the contained resource, apply, then make the change.',
  },
  CONTAINS_UNMANAGED: {
    meaning:
      'the service would delete resources that this stack does not manage together with the resource that contains them',
    remedy:
      'Delete the unmanaged resources in the service; or write a manifest for each and run `sluice import ADDRESS`, then remove these manifests together with that of the resource, so that one plan deletes all of them.',
  },
  MAX_DELETES: {
    meaning: 'the plan deletes more resources than `policy.max_deletes` allows',
    remedy: 'Delete fewer resources in one plan; or raise `policy.max_deletes` temporarily.',
  },
  POLICY: {
    meaning: 'the change has a hazard that requires `--allow`, or breaks an access rule',
    remedy: 'Change the manifests; or pass `--allow CODE` for the hazard, or `--allow rule:NAME` for the access rule.',
  },
  OPERATOR_POLICY: {
    meaning: 'the operator policy forbids the change',
    remedy:
      'Change the manifests, or ask the operator to change the operator policy; no flag and no approval allows the change.',
  },
  OUTPUT_NOT_KNOWN: {
    meaning: 'the change uses an output of another stack that is not known yet',
    remedy: 'Apply the other stack first, then plan this stack again.',
  },
  UNRESOLVED_CREATION: {
    meaning:
      'an earlier run tried to create the resource under its former name (`lifecycle.moved_from`), and the outcome is unknown, so the resource may already exist',
    remedy:
      'Check in the service whether the resource exists, then run `sluice state resolve` with the former address.',
  },
};
