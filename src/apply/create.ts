/*
 * Creates a resource exactly once. The service has no idempotency keys, so the nonce of the ownership marker serves as
 * one: it is sent with the request, and a resource that carries it was created by this request.
 *
 *   1. The intent, with the nonce, is durable in state before the request is sent.
 *   2. A readable answer: done. A clear refusal: failed, and the intent is removed. But if an earlier attempt is unclear,
 *      the conflict may be with the resource that it created: look up once more, and keep the intent if there is none.
 *   3. Any other answer is ambiguous: wait, and look up the nonce, twice. Found: done. Not found: send again with a new
 *      nonce. The old nonce is kept: its resource may appear late, and is then a duplicate that belongs to this stack.
 *   4. 408, 409 and 429 are ambiguous too: wait, look up once, and send the same request again, for two minutes from the
 *      first of them. Then, or when interrupted, the change ends as unknown, and the next run looks up the intent.
 *   5. If the service cannot report whether the resource exists, the change ends as unknown. No run sends the request
 *      again until a person resolves it (`sluice state resolve`). If it is known beforehand that the resource is in no
 *      list, or carries no marker, the intent records that: the run may end before it can report it.
 *   6. A resource without a marker is found by its natural key. If it is not found, the request is not sent again, except
 *      after 409 or 429 if a list shows that nothing was created; without a natural key, this means that the list has no
 *      new resource without a marker. Otherwise a person resolves it, as in 5.
 *   7. The unfinished intent of an earlier run is looked up first; if the service cannot report the resource, as in 5.
 */
import type { Clock } from '../api/clock.ts';
import type { Client } from '../api/client.ts';
import { ApiError, mayHaveHappened, unclearToPost } from '../api/api-errors.ts';
import { retryDelay, usualPatienceMs } from '../api/retry.ts';
import { fromWire, UnexpectedAnswer } from '../derive/wire/from-wire.ts';
import type { Json } from '../derive/wire/to-wire.ts';
import { SluiceError } from '../diagnostics/errors.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Actual } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import type { JsonObject } from '../model/json-object.ts';
import { present } from '../model/present.ts';
import type { Intent, StateObject } from '../model/state.ts';
import { howToResolve } from '../plan/warnings/how-to-resolve.ts';
import type { IntentAhead } from './intents-ahead.ts';
import { type LookUp, LookUpFailed } from './look-up.ts';
import type { StateWriter } from './state-writer.ts';
import { naturalKey } from './natural-key.ts';

/** A resource to create. */
export interface Creation {
  readonly address: Address;
  readonly kind: Kind;
  readonly path: string;
  readonly parent: string | undefined;
  readonly body: (nonce: string) => Json | undefined;
  readonly secrets: readonly string[];
  /** Its spec in the form of state, if a value in it is external. */
  readonly remembered?: StateObject | undefined;
  /** Whether it carries an ownership marker, so that it can be looked up. */
  readonly isMarked: boolean;
}

/** A created resource. */
export interface Created {
  readonly id: string;
  /** As the service shows it. */
  readonly actual: Actual;
  /** The answer to the request; undefined if it was lost. */
  readonly answer: JsonObject | undefined;
  readonly nonce: string;
}

/** What a creation needs. */
export interface CreateOptions {
  readonly client: Pick<Client, 'write'>;
  readonly lookUp: LookUp;
  /** Whether a look-up may find a resource with such a body. */
  readonly isListed: (kind: Kind, body: Json | undefined) => boolean;
  readonly state: StateWriter;
  readonly clock: Clock;
  readonly drawNonce: () => string;
  /** The intent of a creation, if it was recorded ahead. */
  readonly intentAhead?: (address: Address) => IntentAhead | undefined;
  /** Whether an id belongs to another resource: then it cannot be the id of the new one. */
  readonly isTaken: (id: string) => boolean;
  /** Ends the waiting before a creation is sent again. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the outcome of a creation has to be looked up, with the reason. */
  readonly onRetry?: (address: Address, why: string) => void;
}

/** The service cannot report whether the resource exists. */
export class CreationUnknown extends SluiceError {}

/** The request was not sent, because the intent could not be recorded. */
export class IntentNotSaved extends SluiceError {
  constructor(cause: unknown, what = 'the creation of the resource') {
    super(
      'JOURNAL_NOT_WRITTEN',
      `the request was not sent, because sluice must record ${what} in state first, and the state could not be written`,
      { cause },
    );
  }
}

const lostResponse = 'the response to an earlier create request was lost';

const most = { tries: 5, repeats: 20, lookUps: 2 };

// Sent again with the same nonce.
const repeated = new Set([408, ...unclearToPost]);

/** A creation with all that it needs. */
interface Task extends Creation, CreateOptions {
  /** No look-up finds it by its nonce. */
  readonly isHidden: boolean;
}

/** Creates a resource exactly once. Throws CreationUnknown if the outcome cannot be found out. */
export async function createOnce(creation: Creation, options: CreateOptions): Promise<Created> {
  const { address, kind, path, body, secrets } = creation;
  const { client, state, clock, signal, isListed } = options;
  const isHidden = !creation.isMarked || !(isListed(kind, undefined) || isListed(kind, body('')));
  const task: Task = { ...creation, ...options, isHidden };
  const ahead = options.intentAhead?.(address);
  const earlier = ahead === undefined ? state.intent(address) : undefined;
  const nonces = [...(earlier?.nonces ?? [])];
  const unclear = new Set(nonces);
  if (earlier !== undefined) {
    const left = await leftBehind(task, earlier);
    if (left !== undefined) return createdAs(left);
  }
  nonces.push(ahead?.nonce ?? options.drawNonce());
  let recorded = ahead?.recorded;
  let lost: Error | undefined;
  let [waited, lostAnswers] = [0, 0];
  const checked = <T>(lookedUp: Promise<T>): Promise<T> =>
    lookedUp.catch((cause: unknown) => {
      throw lost === undefined || cause instanceof CreationUnknown ? cause : new LookUpFailed(lost, cause);
    });
  for (let attempt = 1; ; attempt++) {
    const nonce = nonces.at(-1) ?? '';
    recorded ??= state.putIntent(address, intentOf(task, nonces));
    await recorded.catch((error: unknown) => {
      // This attempt is not sent, so the outcome of the attempt before is as unknown as it was.
      throw lost ?? new IntentNotSaved(error);
    });
    recorded = undefined;
    try {
      const answer = await client.write({ method: 'POST', path, body: body(nonce), secrets });
      const actual = fromWire(kind, answer);
      if (options.isTaken(actual.id))
        throw new UnexpectedAnswer(kind.name, 'the returned `id` belongs to another resource');
      if (creation.isMarked && actual.marker !== undefined && actual.marker.n !== nonce)
        throw new UnexpectedAnswer(kind.name, 'the returned resource has the ownership marker of another resource');
      return { id: actual.id, actual, answer, nonce };
    } catch (error) {
      if (!mayHaveHappened(error) && !(error instanceof UnexpectedAnswer)) {
        const made = await checked(afterRefusal(task, [...unclear]));
        if (made === undefined) throw error;
        return createdAs(made);
      }
      if (error instanceof Error) lost = error;
      unclear.add(nonce);
      const isRepeated = error instanceof ApiError && repeated.has(error.status);
      if (isRepeated) {
        const wait = retryDelay(error, attempt, clock);
        waited += wait;
        if (waited > usualPatienceMs || attempt >= most.repeats) throw await unresolved(task, nonces, error);
        await clock.sleep(wait, signal).catch(() => undefined);
        if (signal?.aborted === true) throw await unresolved(task, nonces, error);
      }
      const found = await checked(lookUpAgain(task, nonces, error));
      if (found !== undefined) return createdAs(found);
      if (!isRepeated) {
        lostAnswers += 1;
        if (lostAnswers === most.tries || signal?.aborted === true) throw error;
        nonces.push(options.drawNonce());
      }
    }
  }
}

/** The resource of an attempt that may have been carried out: found by its marker, or else by its natural key. */
async function lookUpAgain(task: Task, nonces: readonly string[], why: unknown): Promise<Actual | undefined> {
  const status = why instanceof ApiError ? why.status : undefined;
  if (task.isMarked) return byNonce(task, nonces, status !== undefined && repeated.has(status) ? 1 : most.lookUps, why);
  const isRefusal = status !== undefined && unclearToPost.has(status);
  const found = await byNaturalKey(task, isRefusal ? 1 : most.lookUps, why);
  if (found === undefined && !(isRefusal && (await isAbsent(task)))) throw await cannotTell(task, nonces, why);
  return found;
}

/** Whether a resource without a marker was certainly not created, after it was not found by its natural key. */
async function isAbsent(task: Task): Promise<boolean> {
  // A resource without a marker is visible in a list only, not in endpoints.
  if (!task.isListed(task.kind, undefined)) return false;
  if (keyOf(task) !== undefined) return true;
  const there = await task.lookUp(task.kind, task.parent, task.body(''));
  return there?.every(({ id, marker }) => marker !== undefined || task.isTaken(id)) === true;
}

/** The error of a creation that is not sent again. The next run looks up a resource with a marker; any other is resolved by a person. */
async function unresolved(task: Task, nonces: readonly string[], why: unknown): Promise<unknown> {
  return task.isMarked ? why : await cannotTell(task, nonces, why);
}

/** What an earlier run created before it ended without a response. What that run could not have looked up, this one cannot miss. */
async function leftBehind(task: Task, { nonces, unresolved: wasHidden }: Intent): Promise<Actual | undefined> {
  const found = task.isMarked ? await byNonce(task, nonces, 1, lostResponse) : undefined;
  if (found === undefined && (!task.isMarked || wasHidden === true)) throw await cannotTell(task, nonces, lostResponse);
  return found;
}

/** After a refusal, the outcome of that attempt is known. If earlier attempts are unclear, the conflict may be with a resource that they created: it is returned if found; otherwise their intent stays. */
async function afterRefusal(task: Task, unclear: readonly string[]): Promise<Actual | undefined> {
  const { address, state, isMarked } = task;
  if (unclear.length === 0) {
    state.dropIntent(address);
    return undefined;
  }
  const found = isMarked ? await byNonce(task, unclear, 1, lostResponse) : await byNaturalKey(task, 1, lostResponse);
  await state.putIntent(address, intentOf(task, unclear));
  return found;
}

function createdAs(actual: Actual): Created {
  return { id: actual.id, actual, answer: undefined, nonce: actual.marker?.n ?? '' };
}

function intentOf({ kind, parent, remembered, isHidden }: Task, nonces: readonly string[]): Intent {
  return present({ kind: kind.name, parent, nonces, spec: remembered, unresolved: isHidden || undefined });
}

/**
 * The resource with one of the nonces, if it exists. Of several, the first in the list; the next plan finds the others as
 * duplicates. What an earlier attempt made and the plan knows, such as to replace it, is not what is looked for.
 */
async function byNonce(
  task: Task,
  nonces: readonly string[],
  times: number,
  why: unknown,
): Promise<Actual | undefined> {
  task.onRetry?.(task.address, checking(why));
  for (let time = 1; time <= times; time++) {
    const there = await task.lookUp(task.kind, task.parent, task.body(''));
    if (there === undefined) throw await cannotTell(task, nonces, why);
    const found = there.find(({ id, marker }) => nonces.includes(marker?.n ?? '') && !task.isTaken(id));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The resource with the natural key of the creation, among those that did not exist before. A kind without a natural key finds nothing. */
async function byNaturalKey(task: Task, times: number, why: unknown): Promise<Actual | undefined> {
  const { address, kind, parent, body, isTaken } = task;
  const key = keyOf(task);
  if (key === undefined) return undefined;
  task.onRetry?.(address, checking(why));
  for (let time = 1; time <= times; time++) {
    const there = await task.lookUp(kind, parent, body(''));
    const isOurs = ({ id, marker }: Actual): boolean => marker === undefined && !isTaken(id);
    const found = there?.find((one) => isOurs(one) && naturalKey(kind, one.spec) === key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function keyOf({ kind, body }: Task): string | undefined {
  return naturalKey(kind, (body('') ?? {}) as Readonly<Record<string, Json>>);
}

async function cannotTell(task: Task, nonces: readonly string[], cause: unknown): Promise<CreationUnknown> {
  const { address } = task;
  await task.state.putIntent(address, intentOf({ ...task, isHidden: true }, nonces));
  return new CreationUnknown(
    'OUTCOME_UNKNOWN',
    `${reasonOf(cause)}; the service cannot report whether ${address} was created`,
    { cause, hint: `${howToResolve(address)}; then run \`sluice apply\` again`, hintInWatch: howToResolve(address) },
  );
}

function checking(why: unknown): string {
  return `${reasonOf(why)}; checking whether the resource was created`;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error
    ? cause.message
    : typeof cause === 'string'
      ? cause
      : 'the response to the create request was lost';
}
