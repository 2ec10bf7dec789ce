import * as z from 'zod';
import { SluiceError } from '../../diagnostics/errors.ts';
import type { Path, Secret, SecretOrigin } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Desired, DesiredStack } from '../../model/resource.ts';
import type { PlanParts } from '../../model/plan/plan-parts.ts';
import type { Verification } from '../../model/verification.ts';
import { comparable, type Comparable } from './comparable.ts';
import { differences } from './differences.ts';
import { partsShape, planShape, verificationShape } from './plan-shape.ts';
import { otherFile } from './other-file.ts';
import { checksumOf, decodeValue, encodeValue, shownSecret } from './encoded.ts';
import { parsedJson } from '../../model/json-object.ts';

const texts = z.array(z.string()).readonly();
const binding = z.strictObject({ stack: z.string(), baseUrl: z.string(), version: z.string() });
const runOptions = z.strictObject({
  // Every address that the manifests had, selected or not.
  described: texts,
  targets: texts,
  allow: texts,
  resendSecrets: z.boolean(),
  allowEmpty: z.boolean(),
  acceptMissing: z.boolean(),
  keepOldest: z.boolean(),
  // Everything is deleted, whatever the manifests contain.
  destroying: z.boolean().exactOptional(),
  // The name that the stack had before.
  renameFrom: z.string().exactOptional(),
  // The commit whose manifests these are, and whether they had changes that are not in it, where that is known.
  commit: z.string().exactOptional(),
  uncommitted: z.boolean().exactOptional(),
});

/** What a saved plan is good for: this stack, at this service, by this version. */
export type PlanBinding = Readonly<z.infer<typeof binding>>;

/** The targets and options of the run, so that apply plans the same. */
export type SavedRun = Readonly<z.infer<typeof runOptions>>;

/** A secret that a saved plan names, and where to have it from; written out in its manifest, it is nowhere. */
export interface NeededSecret {
  readonly address: Address;
  /** Where it stands in the spec. */
  readonly path: Path;
  readonly origin: SecretOrigin | undefined;
  /** It is the value of a plain field. */
  readonly isOutside: boolean;
}

/** A plan as read from a file. */
export interface SavedPlan {
  readonly bound: PlanBinding;
  readonly savedAt: string;
  readonly salt: string;
  readonly digest: string;
  readonly run: SavedRun;
  /** For display; its secrets are masked. */
  readonly plan: Plan;
  /** What carrying it out on a copy of the account had shown, where that was asked for. For showing too. */
  readonly verified?: Verification;
  /** What the change did, and what was already pending, where that was asked for. For showing too. */
  readonly parts?: PlanParts;
  readonly approved: Comparable;
  /** The resolved manifests; each secret is asked for again. */
  readonly desired: (secretOf: (wanted: NeededSecret) => Secret) => DesiredStack;
}

const file = z.strictObject({
  format: z.literal('sluice-plan/1'),
  bound: binding,
  saved_at: z.string(),
  salt: z.string().min(16),
  run: runOptions,
  complete: z.boolean(),
  resources: z.array(z.record(z.string(), z.unknown())),
  plan: z.record(z.string(), z.unknown()),
  verified: z.record(z.string(), z.unknown()).exactOptional(),
  parts: z.record(z.string(), z.unknown()).exactOptional(),
  approved: z.array(z.tuple([z.string(), z.string()])),
  // Of everything else in the file: what is shown beside what is approved, too.
  digest: z.string(),
});

/** What is put into a plan file. */
export interface ToSave extends Pick<SavedPlan, 'plan' | 'verified' | 'parts' | 'bound' | 'run' | 'savedAt' | 'salt'> {
  readonly desired: DesiredStack;
  /** Digests of secrets under that salt. */
  readonly secretDigest: (text: string) => string;
}

/** The text of a plan file, and the digest to approve it by. No secret is in it. */
export function writeSavedPlan({ plan, verified, parts, desired, bound, run, savedAt, salt, secretDigest }: ToSave): {
  readonly text: string;
  readonly digest: string;
} {
  const content = {
    format: 'sluice-plan/1',
    bound,
    saved_at: savedAt,
    salt,
    run,
    complete: desired.complete,
    resources: desired.resources.map(({ places: _, ...resource }) => encodeValue(resource, secretDigest)),
    plan: encodeValue({ ...plan, lastAccess: { remember: {}, forget: [] } }, secretDigest),
    ...(verified === undefined ? {} : { verified: encodeValue(verified, secretDigest) }),
    ...(parts === undefined ? {} : { parts: encodeValue(parts, secretDigest) }),
    approved: [...comparable(plan, secretDigest)],
  };
  const digest = digestOf(content);
  return { text: `${JSON.stringify({ ...content, digest })}\n`, digest };
}

function digestOf(content: object): string {
  return `sha256:${checksumOf(content)}`;
}

/** Reads a plan file. Damage is an error; so is a file that only looks like one. `digester` makes the digests of a salt. */
export function readSavedPlan(
  text: string,
  name: string,
  digester: (salt: string) => (text: string) => string,
): SavedPlan {
  const other = otherFile(text);
  if (other !== undefined)
    throw new SluiceError('NOT_A_PLAN_FILE', `${name} is not a saved plan, but seems to be ${other}`, {
      hint: 'pass a file written by `sluice plan --out FILE`; run `sluice plan` to see what would change now',
    });
  const parsed = parsedJson(text);
  if (parsed === undefined) throw damaged(name, 'the file is not a saved plan');
  const read = file.safeParse(parsed);
  if (!read.success) throw damaged(name, 'the file was written by another version of sluice, or was edited');
  const { digest, ...content } = read.data;
  if (digest !== digestOf(content)) throw damaged(name, 'the digest does not match the content');
  const { bound, saved_at: savedAt, salt, run, complete, verified, parts } = content;
  const ofShape = (value: unknown, shape: z.ZodType): unknown => shaped(decodeValue(value, shownSecret), shape, name);
  const plan = ofShape(content.plan, planShape) as Plan;
  const approved = new Map(content.approved);
  if (!isOf(plan, approved, digester(salt)))
    throw damaged(name, 'the plan in the file differs from the approval in the file');
  return {
    bound,
    savedAt,
    salt,
    digest,
    run,
    approved,
    plan,
    ...(verified === undefined ? {} : { verified: ofShape(verified, verificationShape) as Verification }),
    ...(parts === undefined ? {} : { parts: ofShape(parts, partsShape) as PlanParts }),
    desired: (secretOf) => ({
      complete,
      diagnostics: [],
      resources: content.resources.map((encoded) => {
        const address = String(encoded['address']);
        // All secrets stand in the spec.
        const resource = decodeValue(encoded, ({ origin, outside }, [, ...path]) =>
          secretOf({ address, path, origin, isOutside: outside === true }),
        ) as Omit<Desired, 'places'>;
        return { ...resource, places: { of: () => resource.place } };
      }),
    }),
  };
}

function shaped(value: unknown, shape: z.ZodType, name: string): unknown {
  if (!shape.safeParse(value).success) throw damaged(name, 'another version of sluice wrote the plan in the file');
  return value;
}

/** Whether a plan as it was read is the one of which this was approved; what is no plan at all is not. */
function isOf(plan: Plan, approved: Comparable, digest: (text: string) => string): boolean {
  try {
    // Masked values are digests already.
    const read = comparable(plan, (text) => text, digest);
    return differences(approved, read).length === 0;
  } catch {
    return false;
  }
}

function damaged(name: string, why: string): SluiceError {
  return new SluiceError('PLAN_FILE_DAMAGED', `${name} cannot be used: ${why}`, {
    hint: 'run `sluice plan --out` again',
  });
}
