import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { endings } from '../model/outcome.ts';
import { parsedJson } from '../model/json-object.ts';

const count = z.int().min(0);

const change = z.strictObject({
  address: z.string(),
  action: z.string(),
  ending: z.enum(endings),
  id: z.string().exactOptional(),
});

const approval = z.strictObject({
  /** The digest of what was approved. */
  digest: z.string(),
  by: z.string(),
  at: z.string(),
  reason: z.string().exactOptional(),
});

const watchRules = z.strictObject({
  apply_on_change: z.boolean(),
  heal_drift: z.boolean(),
  prune: z.boolean(),
  renew: z.boolean(),
  /** Drift of one kind, in place of `heal_drift`. */
  kinds: z.record(z.string(), z.enum(['report', 'heal'])),
});

/** What `sluice.yaml` allowed when the run was made. */
const rules = z.strictObject({
  max_deletes: z.string(),
  block: z.array(z.string()),
  public: z.array(z.string()).exactOptional(),
  /** A digest of each access rule by its name. */
  access: z.record(z.string(), z.string()),
  exceptions: z.array(z.string()),
  /** The last day of each of them. */
  until: z.record(z.string(), z.string()).exactOptional(),
  strict: z.boolean(),
  /** What a watch may apply without approval. */
  watch: watchRules.exactOptional(),
});

const record = z.strictObject({
  run: z.literal(1),
  /** Random: no two records are equal. */
  id: z.string(),
  /** Of its lease, in a store that several machines share. */
  fence: z.int().min(1).exactOptional(),
  command: z.string(),
  owner: z.string(),
  host: z.string(),
  /** The pipeline job that ran it. */
  url: z.string().exactOptional(),
  /** The commit whose manifests were applied, where that is known. */
  commit: z.string().exactOptional(),
  /** Whether files of the stack had changes that are not in that commit; missing where that is not known. */
  uncommitted: z.boolean().exactOptional(),
  digest: z.string().exactOptional(),
  rules: rules.exactOptional(),
  /** Of a watch: the approvals that its changes required. */
  approvals: z.array(approval).exactOptional(),
  began: z.string(),
  /** Missing while the run goes on, and for good where it was killed. */
  ended: z.string().exactOptional(),
  interrupted: z.boolean(),
  /** Write requests sent. */
  requests: count,
  /** How many changes of each action are done. */
  done: z.record(z.string(), count),
  endings: z.record(z.enum(endings), count),
  /** How each change ended, without values. */
  changes: z.array(change),
  /** Changes that are too many to be listed. */
  omitted: count,
  /** The text of the plan, compressed; missing where it is too long. */
  plan: z.string().exactOptional(),
});

/** What a run set out to do and how it ended, for people who ask later. */
export type RunRecord = z.infer<typeof record>;

/** What a run is about to do; its lock contains who it is. */
export type PlannedRun = Pick<RunRecord, 'commit' | 'uncommitted' | 'digest' | 'approvals' | 'rules' | 'url'> & {
  readonly planText?: string;
};

/** What it did. Until it ends, each change may have been made. */
export type DoneRun = Pick<RunRecord, 'interrupted' | 'requests' | 'done' | 'endings' | 'changes' | 'omitted'>;

const mostPlanBytes = 16_384;
// A text of so many characters never fits.
const mostPlanText = 2_000_000;

/** The same in every record of one run: what it is about to do, its plan compressed, and who it is. */
export function runBasis(
  { planText = '', ...planned }: PlannedRun,
  run: Pick<RunRecord, 'id' | 'fence' | 'command' | 'owner' | 'host' | 'began'>,
): Omit<RunRecord, keyof DoneRun> {
  return { run: 1, ...run, ...planned, ...(planText === '' ? {} : { plan: compressed(planText) }) };
}

/** The bytes of a record. */
export function runBytes(record: RunRecord): Uint8Array {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

/** Reads a record; undefined where it is damaged, or a newer sluice wrote it. */
export function runIn(bytes: Uint8Array): RunRecord | undefined {
  return record.safeParse(parsedJson(Buffer.from(bytes).toString('utf8'))).data;
}

/** The text of the plan in a record. */
export function planTextOf({ plan }: RunRecord): string | undefined {
  if (plan === undefined) return undefined;
  try {
    return gunzipSync(Buffer.from(plan, 'base64'), { maxOutputLength: mostPlanText }).toString('utf8');
  } catch {
    return undefined;
  }
}

/** As many of its lines as fit. */
function compressed(text: string): string {
  let part = text.slice(0, mostPlanText);
  for (;;) {
    const bytes = gzipSync(part);
    if (bytes.length <= mostPlanBytes) return bytes.toString('base64');
    const kept = part.slice(0, Math.floor(part.length * Math.min(0.9, mostPlanBytes / bytes.length)));
    part = `${kept.slice(0, kept.lastIndexOf('\n') + 1)}… omitted (size limit)\n`;
  }
}
