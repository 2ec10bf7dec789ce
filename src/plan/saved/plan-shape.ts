import * as z from 'zod';
import { isSpecObject, Ref, Secret } from '../../kinds/value.ts';
import { severities } from '../../diagnostics/diagnostic.ts';
import { requirements } from '../../model/exposure/access-rules.ts';
import { audiences } from '../../model/exposure/exposed-urls.ts';
import {
  actions,
  blockedCodes,
  hazardCodes,
  ownershipFacts,
  reasons,
  writeMethods,
  unmanagedReasons,
} from '../../model/plan/plan.ts';

/*
 * A plan file may come from a job that nobody trusts. Its checksum finds damage, but anyone can compute it again. So
 * everything that is read from the plan in it has its type checked, and the words that are printed as they are, such as
 * codes and actions, are known ones.
 */
const text = z.string();
const flag = z.boolean();
const whole = z.int();
const isTrue = z.literal(true).optional();
const names = z.array(text);
const path = z.array(z.union([text, whole]));
const spec = z.custom((value) => isSpecObject(value) && isSpecValue(value));
const value = z.custom(isSpecValue).optional();
const place = z.object({ file: text, line: whole, col: whole });
const marker = z.object({ s: text, a: text, p: text, n: text });
const reason = z.enum(reasons);

const field = z.object({
  path,
  before: value,
  after: value,
  reason,
  applied: value,
  items: z.object({ file: text, lines: z.record(text, whole) }).optional(),
  immutable: flag,
  secret: flag,
  unreadable: isTrue,
});

const origin = z.union([z.object({ from_env: text }), z.object({ from_file: text })]);

const change = z.object({
  address: text,
  kind: text,
  action: z.enum(actions),
  id: text.optional(),
  parent: text.optional(),
  movedFrom: text.optional(),
  place: place.optional(),
  manifestPlace: place.optional(),
  lastSource: text.optional(),
  fields: z.array(field),
  why: names,
  desired: spec.optional(),
  printed: z.array(z.object({ path, text, origin })).optional(),
  actual: spec.optional(),
  shows: spec,
  marker: marker.optional(),
  markerBefore: marker.optional(),
  deletedOutside: z.object({ id: text, spec, isAsApplied: isTrue }).optional(),
  markerDrifted: isTrue,
  markerOnly: flag,
  stateOnly: z.array(z.enum(ownershipFacts)).optional(),
  protect: flag,
  retain: flag,
  unmanagedFields: z.record(text, z.enum(unmanagedReasons)),
  unverified: names,
  cleanup: z.enum(['duplicate', 'deposed']).optional(),
  deletedWith: text.optional(),
  isRenewal: isTrue,
  blocked: z.object({ code: z.enum(blockedCodes), message: text }).optional(),
});

const request = z.object({
  method: z.enum(writeMethods),
  path: z.array(z.union([text, z.object({ id: text }), z.object({ idOf: text })])),
  body: spec.optional(),
  marker: z.object({ field: text, marker }).optional(),
  validFor: z.object({ field: text, seconds: z.number() }).optional(),
});

const step = z.object({
  id: text,
  address: text,
  role: z.enum(['create', 'update', 'put', 'unset', 'delete', 'prepare']),
  request,
  note: text.optional(),
  dependsOn: z.array(z.object({ step: text, reason: text })),
});

const ruleSource = z.enum(['repository', 'operator']);

const hazard = z.object({
  code: z.enum(hazardCodes),
  address: text,
  message: text,
  temporary: flag.optional(),
  causes: names.optional(),
  urls: names.optional(),
  asked: z.object({ before: text, after: text }).optional(),
  effects: z
    .array(z.object({ cause: text.optional(), urls: names, before: text, after: text, asked: names.optional() }))
    .optional(),
  unlisted: isTrue,
  listedBy: ruleSource.optional(),
  isOfStack: isTrue,
});

const diagnostic = z.object({
  code: text,
  severity: z.enum(severities),
  message: text,
  hint: text.optional(),
  place: place.optional(),
  address: text.optional(),
  related: z.array(z.object({ message: text, place })).optional(),
});

const proof = z.enum(['holds', 'broken', 'unproven']);

const ruleFinding = z.object({
  verdict: proof.exclude(['holds']),
  address: text,
  request: text.optional(),
  temporary: z.literal(true).optional(),
  missing: z.array(z.enum(requirements)),
  fact: text.optional(),
  place: place.optional(),
  causes: names,
});

const rule = z.object({
  rule: text,
  source: ruleSource,
  verdict: proof,
  now: proof.optional(),
  breachesNow: z.array(ruleFinding).optional(),
  isBreach: flag,
  isAllowed: flag,
  findings: z.array(ruleFinding),
  omitted: whole,
  causes: names,
  exceptions: z.array(
    z.object({ rule: text, url: text, reason: text, until: text, ends: z.enum(['past', 'soon', 'later']) }),
  ),
});

const reachability = z.object({
  audience: z.enum(audiences),
  who: text,
  requires: z.array(z.enum(requirements)),
  route: text.optional(),
  backend: text.optional(),
});

/** The shape of the plan in a plan file, its secrets and references being values of their own. */
export const planShape = z.object({
  stack: z.object({ name: text, id: text }),
  profile: z.enum(['completed', 'documented']),
  now: z.number().optional(),
  changes: z.array(change),
  steps: z.array(step),
  files: z.array(
    z.object({ address: text, path: text, reason: z.enum(['issued', 'missing', 'different']), text: text.optional() }),
  ),
  hazards: z.array(hazard),
  diagnostics: z.array(diagnostic),
  unresolved: z.array(z.object({ address: text, kind: text, parent: text.optional() })),
  publicByPolicy: names,
  exposureChanges: z.array(z.object({ urls: names, before: reachability, after: reachability })),
  rules: z.array(rule).optional(),
  resolvedCreations: names,
  externals: z.record(text, text).optional(),
  complete: flag,
  destroying: isTrue,
  gapMs: z.number().optional(),
  snapshot: z.object({ takenAt: z.iso.datetime(), revision: text.optional() }).optional(),
});

/** The shape of the result of a verification in a plan file. */
export const verificationShape = z.object({
  converges: flag,
  requests: whole,
  failures: z.array(z.object({ address: text.optional(), message: text })),
  remaining: z.array(change),
  assumptions: names,
});

const commit = z.string().regex(/^[0-9a-f]{40,64}$/);
const base = z.object({ ref: text, commit, ahead: whole });
const applied = z.union([
  z.object({ commit, drift: z.array(change), notApplied: z.array(change) }),
  z.object({ unknown: text }),
]);

/** The shape of the parts of a plan in a plan file. */
export const partsShape = z.union([
  z.object({ base, thisChange: z.array(change), pending: z.array(change), applied }),
  z.object({ base, inseparable: text }),
]);

function isSpecValue(given: unknown): boolean {
  if (given instanceof Ref) return typeof given.to === 'string';
  if (given instanceof Secret) return origin.optional().safeParse(given.origin).success;
  if (given === null) return true;
  if (Array.isArray(given)) return given.every(isSpecValue);
  return isSpecObject(given)
    ? Object.values(given).every(isSpecValue)
    : typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
}
