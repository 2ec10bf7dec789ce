/*
 * One creation, once. The service has no idempotency keys, so the marker's nonce is ours: it goes out with the
 * request, and what carries it was made by this request.
 *
 *   1. The intent, with the nonce, is durable before the request leaves.
 *   2. An answer that can be read: done. A clear refusal: struck out, failed; but where an earlier try is unclear, it
 *      may be what that made that stands in the way: look once more, and keep what was meant if it is not there.
 *   3. Anything else is ambiguous: wait, look for the nonce, twice. Found: that is it. Not found: again, with a new
 *      nonce; the old one is kept, because what it made may turn up late, and then it is an extra of ours.
 *   4. 408, 409 and 429 are ambiguous too: wait, look once, and send the same request again, for two minutes from the
 *      first of them. Then, or when interrupted, it ends as unknown, and the intent stays for the next run to look up.
 *   5. Where the service cannot tell what is there, the change ends as unknown and nothing is sent again, by no later
 *      run either, until a person has resolved it (`sluice state resolve`). What is known beforehand to be in no list,
 *      or to carry no marker, is recorded with the intent: the run may end before it can report it.
 *   6. What carries no marker is known by its natural key, and not sent again where that is not found, but after 409 or
 *      429 where a list shows that nothing was made: without a natural key, that there is nothing new without a marker.
 *      In the end a person says what came of it, as in 5.
 *   7. What an earlier run intended but did not finish is looked up first; where the service cannot report it, as in 5.
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
import type { Intent, StateObject } from '../model/state.ts';
import { howToResolve } from '../plan/warnings/how-to-resolve.ts';
import type { IntentAhead } from './intents-ahead.ts';
import type { LookUp } from './look-up.ts';
import type { StateWriter } from './state-writer.ts';
import { naturalKey } from './natural-key.ts';
import { LookUpFailed } from './look-up-failed.ts';

/** A creation to carry out. */
export interface Creation {
  readonly address: Address;
  readonly kind: Kind;
  readonly path: string;
  readonly parent: string | undefined;
  readonly body: (nonce: string) => Json | undefined;
  readonly secrets: readonly string[];
  /** Its spec as state keeps it, if a value of it came from outside. */
  readonly remembered?: StateObject;
  /** Whether it carries a marker, so that it can be looked for. */
  readonly isMarked: boolean;
}

/** What was created, and by which of the nonces. */
export interface Created {
  readonly id: string;
  /** As the service shows it. */
  readonly actual: Actual;
  /** The answer to the creation; undefined where that was lost. */
  readonly answer: JsonObject | undefined;
  readonly nonce: string;
}

/** What a creation needs. */
export interface CreateOptions {
  readonly client: Pick<Client, 'write'>;
  readonly lookUp: LookUp;
  /** Whether a look-up may show what such a body creates. */
  readonly isListed: (kind: Kind, body: Json | undefined) => boolean;
  readonly state: StateWriter;
  readonly clock: Clock;
  readonly drawNonce: () => string;
  /** The intent of a creation, where it was recorded before. */
  readonly intentAhead?: (address: Address) => IntentAhead | undefined;
  /** Whether an id is already that of something else: then it is no answer to a creation. */
  readonly isTaken: (id: string) => boolean;
  /** Ends the waiting before a creation is sent again. */
  readonly signal?: AbortSignal | undefined;
  /** Told what is waited for before it is decided what came of a creation. */
  readonly onRetry?: (address: Address, why: string) => void;
}

/** Whether the service could not say what is there. */
export class CreationUnknown extends SluiceError {}

/** The request was not sent, because what was meant could not be written down. */
export class IntentNotSaved extends SluiceError {
  constructor(cause: unknown, what = 'the pending creation') {
    super('JOURNAL_NOT_WRITTEN', `not sent: ${what} could not be recorded in state first`, { cause });
  }
}

const lostResponse = 'the response to an earlier create request was lost';

const most = { tries: 5, repeats: 20, looks: 2 };

// Sent again with the same nonce.
const repeated = new Set([408, ...unclearToPost]);

/** Creates a resource exactly once, or says that it cannot be known. */
export async function createOnce(creation: Creation, options: CreateOptions): Promise<Created> {
  const { address, kind, path, body, secrets } = creation;
  const { client, state: state, clock, signal } = options;
  const ahead = options.intentAhead?.(address);
  const earlier = ahead === undefined ? state.intent(address) : undefined;
  const nonces = [...(earlier?.nonces ?? [])];
  const unclear = new Set(nonces);
  const isHidden = !creation.isMarked || !options.isListed(kind, body(''));
  if (earlier !== undefined) {
    const left = await leftBehind(nonces, creation, options);
    if (left !== undefined) return createdAs(left);
  }
  nonces.push(ahead?.nonce ?? options.drawNonce());
  let recorded = ahead?.recorded;
  let lost: Error | undefined;
  let [waited, lostAnswers] = [0, 0];
  const seen = <T>(look: Promise<T>): Promise<T> =>
    look.catch((cause: unknown) => {
      throw lost === undefined || cause instanceof CreationUnknown ? cause : new LookUpFailed(lost, cause);
    });
  for (let attempt = 1; ; attempt++) {
    const nonce = nonces.at(-1) ?? '';
    recorded ??= state.putIntent(address, intentOf(creation, nonces, isHidden));
    await recorded.catch((error: unknown) => {
      // This try is not made; what came of the one before is not known any better.
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
        const made = await seen(afterRefusal([...unclear], creation, options, isHidden));
        if (made === undefined) throw error;
        return createdAs(made);
      }
      if (error instanceof Error) lost = error;
      unclear.add(nonce);
      const isRepeated = error instanceof ApiError && repeated.has(error.status);
      if (isRepeated) {
        const wait = retryDelay(error, attempt, clock);
        waited += wait;
        if (waited > usualPatienceMs || attempt >= most.repeats)
          throw await unresolved(creation, options, nonces, error);
        await clock.sleep(wait, signal).catch(() => undefined);
        if (signal?.aborted === true) throw await unresolved(creation, options, nonces, error);
      }
      const found = await seen(lookUpAgain(creation, options, nonces, error));
      if (found !== undefined) return createdAs(found);
      if (!isRepeated) {
        lostAnswers += 1;
        if (lostAnswers === most.tries || signal?.aborted === true) throw error;
        nonces.push(options.drawNonce());
      }
    }
  }
}

/** What came of a try that may have been carried out: found by its marker, or else by its natural key. */
async function lookUpAgain(
  creation: Creation,
  options: CreateOptions,
  nonces: readonly string[],
  why: unknown,
): Promise<Actual | undefined> {
  const status = why instanceof ApiError ? why.status : undefined;
  if (creation.isMarked)
    return lookFor(nonces, creation, options, status !== undefined && repeated.has(status) ? 1 : most.looks, why);
  const isRefusal = status !== undefined && unclearToPost.has(status);
  const found = await byNature(creation, options, isRefusal ? 1 : most.looks, why);
  if (found === undefined && !(isRefusal && (await isAbsent(creation, options))))
    throw await cannotTell(creation, options, nonces, why);
  return found;
}

/** Whether what carries no marker was certainly not created, once it was not found by its natural key. */
async function isAbsent({ kind, parent, body }: Creation, options: CreateOptions): Promise<boolean> {
  const sent = body('');
  // Endpoints show no resource without a marker, only a list does.
  if (!options.isListed(kind, undefined)) return false;
  if (naturalKey(kind, (sent ?? {}) as Readonly<Record<string, Json>>) !== undefined) return true;
  const there = await options.lookUp(kind, parent, sent);
  return there?.every(({ id, marker }) => marker !== undefined || options.isTaken(id)) === true;
}

/** Why a creation that is not sent again ends as unknown. What carries a marker is looked up by the next run; of the rest a person says what came of it. */
async function unresolved(
  creation: Creation,
  options: CreateOptions,
  nonces: readonly string[],
  why: unknown,
): Promise<unknown> {
  return creation.isMarked ? why : await cannotTell(creation, options, nonces, why);
}

/** What an earlier run created before it ended without a response. */
async function leftBehind(
  nonces: readonly string[],
  creation: Creation,
  options: CreateOptions,
): Promise<Actual | undefined> {
  if (creation.isMarked) return lookFor(nonces, creation, options, 1, lostResponse);
  throw await cannotTell(creation, options, nonces, lostResponse);
}

/** A refusal says what became of one try. If earlier ones are unclear, the conflict may be with what they created; else they stay recorded. */
async function afterRefusal(
  unclear: readonly string[],
  creation: Creation,
  options: CreateOptions,
  isHidden: boolean,
): Promise<Actual | undefined> {
  const { state: state } = options;
  if (unclear.length === 0) {
    state.dropIntent(creation.address);
    return undefined;
  }
  const found = creation.isMarked
    ? await lookFor(unclear, creation, options, 1, lostResponse)
    : await byNature(creation, options, 1, lostResponse);
  if (found === undefined) await state.putIntent(creation.address, intentOf(creation, unclear, isHidden));
  return found;
}

function createdAs(actual: Actual): Created {
  return { id: actual.id, actual, answer: undefined, nonce: actual.marker?.n ?? '' };
}

function intentOf({ kind, parent, remembered }: Creation, nonces: readonly string[], isHidden: boolean): Intent {
  return {
    kind: kind.name,
    ...(parent === undefined ? {} : { parent }),
    nonces,
    ...(remembered === undefined ? {} : { spec: remembered }),
    ...(isHidden ? { unresolved: true as const } : {}),
  };
}

/** What one of the nonces made, if it is there; of several, the first listed, the others being extras for the next plan. */
async function lookFor(
  nonces: readonly string[],
  creation: Creation,
  options: CreateOptions,
  looks: number,
  why: unknown,
): Promise<Actual | undefined> {
  options.onRetry?.(creation.address, checking(why));
  for (let look = 1; look <= looks; look++) {
    const there = await options.lookUp(creation.kind, creation.parent, creation.body(''));
    if (there === undefined) throw await cannotTell(creation, options, nonces, why);
    const found = there.find(({ marker }) => marker !== undefined && nonces.includes(marker.n));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What carries no marker is known by its natural key, among what was not there before; without one it is not found. */
async function byNature(
  creation: Creation,
  options: CreateOptions,
  looks: number,
  why: unknown,
): Promise<Actual | undefined> {
  const { address, kind, parent } = creation;
  const body = creation.body('');
  const key = naturalKey(kind, (body ?? {}) as Readonly<Record<string, Json>>);
  if (key === undefined) return undefined;
  options.onRetry?.(address, checking(why));
  for (let look = 1; look <= looks; look++) {
    const there = await options.lookUp(kind, parent, body);
    const found = there?.find((one) => !options.isTaken(one.id) && naturalKey(kind, one.spec) === key);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function cannotTell(
  creation: Creation,
  { state: state }: CreateOptions,
  nonces: readonly string[],
  cause: unknown,
): Promise<CreationUnknown> {
  const { address } = creation;
  await state.putIntent(address, intentOf(creation, nonces, true));
  return new CreationUnknown(
    'OUTCOME_UNKNOWN',
    `${reasonOf(cause)}; the service cannot report whether ${address} was created`,
    {
      cause,
      hint: `${howToResolve(address)}; then run \`sluice apply\` again`,
      hintInWatch: howToResolve(address),
    },
  );
}

function checking(why: unknown): string {
  return `${reasonOf(why)}; checking whether the resource was created`;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : 'the response was lost';
}
