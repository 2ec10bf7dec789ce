import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../api/client.ts';
import { operationOf, pathText } from '../derive/wire/operations.ts';
import { externalValuesIn, holdsOutside } from '../derive/external/external-values-in.ts';
import { toState } from '../derive/stored/to-state.ts';
import { bodyOf } from '../derive/wire/to-wire.ts';
import type { Kind } from '../kinds/kind.ts';
import type { JsonObject } from '../model/json-object.ts';
import { recordsApplied } from '../model/marker-entry.ts';
import { present } from '../model/present.ts';
import type { Change, Step } from '../model/plan/plan.ts';
import { createOnce, IntentNotSaved, type Created, type CreateOptions } from './create.ts';
import type { KnownResources } from './known-resources.ts';
import { withoutChangedSecrets, sentFields, specAfterRequest } from './spec-after-request.ts';
import { endingOf } from './change-outcome.ts';
import { secretsIn } from './record.ts';
import type { RecordedDeletion } from './recorder.ts';
import { sendOnce, type SendOptions } from './send.ts';

/** What sending a step needs. */
export interface StepSender {
  readonly client: Client;
  readonly known: KnownResources;
  readonly creating: Omit<CreateOptions, 'client'>;
  readonly sending: Omit<SendOptions, 'client'>;
  /** Digests of values, as state keeps them. */
  readonly digest: (text: string) => string;
  /** The end of a period of so many seconds that begins with this run. */
  readonly endOf: (seconds: number) => string;
  /** Called each time the request is sent. */
  readonly onSend: () => void;
  /** Records, before the request, that a resource is being deleted. */
  readonly deleting: (change: Change) => RecordedDeletion;
}

// Manifests that change during a long outage must not let state grow without limit.
const mostAttempts = 10;

/** The result of a step: a created resource, or the answer to its request. */
export type SentStep = { readonly created: Created } | { readonly answer: JsonObject | undefined };

/** Sends the request of a step, with the ids and values that are known by now, and a nonce. */
export async function sendStep(
  step: Step,
  change: Change,
  kind: Kind,
  { client, known, creating, sending, digest, endOf, onSend, deleting }: StepSender,
): Promise<SentStep> {
  const { address, request: planned } = step;
  const { module, since } = operationOf(kind, planned);
  const request =
    planned.body === undefined ? planned : { ...planned, body: known.withTakenValues(planned.body, kind, module) };
  const path = pathText(request.path, known.idOf);
  const secrets = request.body === undefined ? [] : secretsIn(request.body).map(({ text }) => text);
  const body = (nonce: string): ReturnType<typeof bodyOf> => bodyOf(request, { idOf: known.idOf, nonce, endOf });
  const about = { address, kind, path, secrets };
  const write: Client['write'] = (given) => {
    onSend();
    return client.write(given);
  };
  const desired = change.desired ?? {};
  const isKept = request.body !== undefined && holdsOutside(desired);
  const remembered = isKept ? toState(kind.fields, known.withIds(desired), digest) : undefined;
  // Durable before the request: the answer may be lost, and then the resource may be found under any id.
  if (remembered !== undefined)
    await creating.state.putExternalValues(externalValuesIn(kind.name, remembered)).catch((error: unknown) => {
      throw new IntentNotSaved(error, 'the values that the request takes from the environment and files');
    });
  if (request.method === 'POST') {
    const parent = known.parentOf(change, kind);
    const creation = { ...about, parent, body, remembered, isMarked: request.marker !== undefined };
    return { created: await createOnce(creation, { ...creating, client: { write } }) };
  }
  const written = body(request.marker === undefined ? '' : known.nonceFor(address));
  const isEnd = step.role === 'delete';
  // Only where more is lost than a reason, the request waits for the record.
  const isAwaited = secrets.length > 0 || step.role === 'prepare';
  const restore = isEnd
    ? await recordedDeletion(deleting(change))
    : await recordAhead(step, change, kind, module, { known, digest, state: creating.state, isAwaited });
  const answer = await sendOnce(
    {
      ...about,
      method: request.method,
      body: written,
      id: known.id(address) ?? change.id ?? '',
      parent: change.parent ?? known.parentOf(change, kind),
      isEnd,
      module,
      since,
    },
    { ...sending, client: { get: client.get, write } },
  ).catch((error: unknown) => {
    if (endingOf(error) !== 'unknown') restore?.();
    throw error;
  });
  return { answer };
}

/** Waits until a deletion is recorded. Returns what takes that back. */
async function recordedDeletion({ durable, takeBack }: RecordedDeletion): Promise<() => void> {
  await durable.catch((error: unknown) => {
    throw new IntentNotSaved(error, 'the deletion of the resource');
  });
  return takeBack;
}

/**
 * Records, before a request, what it may change: until its outcome is known, the resource is as before or as the request has it,
 * and of two secrets, nobody knows which one the service has. Returns what restores the record, for a request that was
 * certainly not carried out.
 */
async function recordAhead(
  step: Step,
  change: Change,
  { fields }: Kind,
  module: string | undefined,
  {
    known,
    digest,
    state,
    isAwaited,
  }: Pick<StepSender, 'known' | 'digest'> & Pick<CreateOptions, 'state'> & { readonly isAwaited: boolean },
): Promise<(() => void) | undefined> {
  const { address } = step;
  const entry = state.entry(address);
  if (entry === undefined || !recordsApplied(entry)) return undefined;
  const sent = toState(fields, known.withIds(sentFields(step)), digest);
  const spec = withoutChangedSecrets(fields, entry.spec, sent);
  const before = entry.attempted ?? [];
  const after = specAfterRequest(spec, step, change, module, sent);
  const attempted = [...before.filter((one) => !isDeepStrictEqual(one, after)), after].slice(-mostAttempts);
  const recorded = state.putDoubtful(address, { ...entry, spec, attempted }).catch((error: unknown) => {
    throw new IntentNotSaved(error, 'which values of the resource the request changes');
  });
  if (isAwaited) await recorded;
  // A run that cannot record ends before its next request.
  else recorded.catch(() => undefined);
  // What else was recorded meanwhile stays.
  return () => {
    const now = state.entry(address) ?? entry;
    state.put(address, present({ ...now, spec: entry.spec, attempted: entry.attempted }));
  };
}
