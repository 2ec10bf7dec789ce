import type { Client } from '../api/client.ts';
import { operationOf, pathText } from '../derive/wire/operations.ts';
import { externalValuesIn } from '../derive/external/external-values-in.ts';
import { holdsOutside } from '../derive/external/holds-outside.ts';
import { toState } from '../derive/stored/to-state.ts';
import { bodyOf } from '../derive/wire/to-wire.ts';
import type { Kind } from '../kinds/kind.ts';
import type { JsonObject } from '../model/json-object.ts';
import { recordsApplied } from '../model/marker-entry.ts';
import type { Change, Step } from '../model/plan/plan.ts';
import { createOnce, IntentNotSaved, type Created, type CreateOptions } from './create.ts';
import type { KnownResources } from './known-resources.ts';
import { withoutChangedSecrets } from './doubtful-secrets.ts';
import { endingOf } from './ending-of.ts';
import { secretsIn } from './record.ts';
import type { RecordedDeletion } from './recorder.ts';
import { sentFields } from './sent-fields.ts';
import { specAfterRequest } from './spec-after-request.ts';
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
  const request = {
    ...planned,
    ...(planned.body === undefined ? {} : { body: known.withTakenValues(planned.body, kind, module) }),
  };
  const path = pathText(request.path, known.idOf);
  const secrets = request.body === undefined ? [] : secretsIn(request.body, []).map(({ text }) => text);
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
    const creation = {
      ...about,
      parent,
      body,
      isMarked: request.marker !== undefined,
      ...(remembered === undefined ? {} : { remembered }),
    };
    return { created: await createOnce(creation, { ...creating, client: { write } }) };
  }
  const written = body(request.marker === undefined ? '' : known.nonceFor(address));
  const isEnd = step.role === 'delete';
  const isRecordedAhead = secrets.length > 0 || step.role === 'prepare';
  const restore = isEnd
    ? await recordedDeletion(deleting(change))
    : isRecordedAhead
      ? await recordAhead(step, change, kind, module, { known, digest, state: creating.state })
      : undefined;
  const answer = await sendOnce(
    {
      ...about,
      method: request.method,
      ...(written === undefined ? {} : { body: written }),
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
 * Makes durable, before a request changes secrets, that neither the old nor the new ones are known; and before one takes
 * something away for a while, that it is not there. Returns what restores the record, for a request that was certainly not
 * carried out.
 */
async function recordAhead(
  step: Step,
  change: Change,
  { fields }: Kind,
  module: string | undefined,
  { known, digest, state }: Pick<StepSender, 'known' | 'digest'> & Pick<CreateOptions, 'state'>,
): Promise<(() => void) | undefined> {
  const entry = state.entry(step.address);
  if (entry === undefined || !recordsApplied(entry)) return undefined;
  const sent = toState(fields, known.withIds(sentFields(step)), digest);
  const certain = withoutChangedSecrets(fields, entry.spec, sent);
  const takesAway = step.role === 'prepare' && step.request.method !== 'PUT';
  const spec = takesAway ? specAfterRequest(certain, step, change, module, sent) : certain;
  if (spec === entry.spec) return undefined;
  await state.putDoubtful(step.address, { ...entry, spec }).catch((error: unknown) => {
    throw new IntentNotSaved(error, 'which values of the resource the request changes');
  });
  // Only the spec: what else was recorded meanwhile stays.
  return () => state.put(step.address, { ...(state.entry(step.address) ?? entry), spec: entry.spec });
}
