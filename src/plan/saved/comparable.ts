/*
 * What two plans are compared by (decisions/0036). In: address, action, id, before and after of what
 * changes, files, what only state records, hazards with the URLs and the access that they are about, requests. Out: reasons, source lines, times, URLs in texts, and the nonces, which are drawn again.
 * A value from outside counts by its digest also where it is printed, so that masking never changes what is compared
 * (decisions/0023). The order of keys does not count, nor that of lists: every list in a manifest is a set (law 8).
 */
import { createHash } from 'node:crypto';
import { pointerOf } from '../../derive/pointer.ts';
import { objectInOrder } from '../../derive/sorted-json.ts';
import { OutsideValue, type Path, type SecretOrigin } from '../../kinds/value.ts';
import { pathText } from '../../derive/wire/operations.ts';
import type { Address } from '../../model/address.ts';
import { compareText } from '../../model/compare-text.ts';
import { byAddress } from '../../model/group-by.ts';
import { hazardsByChange, type Hazard, type Plan } from '../../model/plan/plan.ts';
import { atOnce, mapSliced, type Sliced } from '../../model/sliced.ts';
import { encodeValue, type Encoded, type SecretDigest } from './encoded.ts';

/** What of a plan is approved, by address, each part as text. */
export type Comparable = ReadonlyMap<Address, string>;

/** The comparable part of a plan; values from outside by digests that must be the same on both sides. */
export function comparable(plan: Plan, digest: SecretDigest, printedDigest?: SecretDigest): Comparable {
  return atOnce(comparableInSteps(plan, digest, printedDigest));
}

/** The same in steps of one change. */
export function* comparableInSteps(
  plan: Plan,
  digest: SecretDigest,
  printedDigest: SecretDigest = digest,
): Sliced<Comparable> {
  const [steps, hazards] = [byAddress(plan.steps), hazardsByChange(plan.hazards)];
  const changing = plan.changes.filter(({ action }) => action !== 'none');
  const files = new Map(plan.files.map(({ address, path }) => [address, path]));
  const parts = yield* mapSliced(
    changing,
    ({ address, action, id, fields, blocked, printed = [], stateOnly = [], movedFrom }) => {
      const own = steps.get(address) ?? [];
      const origins = new Map(printed.map(({ text, origin }) => [text, origin]));
      const originAt = (path: Path) => printed.find((one) => pointerOf(one.path) === pointerOf(path))?.origin;
      const encode = (value: unknown): Encoded =>
        inOrder(encodeValue(value, digest, (text) => encodeText(text, origins.get(text))));
      const part: Encoded = {
        action,
        id: id ?? null,
        blocked: blocked?.code ?? null,
        fields: fields.map(({ path, before, after }) => ({
          path: path.map(String),
          before: typeof before === 'string' ? encodeText(before, originAt(path)) : encode(before),
          after: encode(after),
        })),
        file: files.get(address) ?? null,
        ...(stateOnly.length === 0
          ? {}
          : { recorded: [...stateOnly, ...(movedFrom === undefined ? [] : [movedFrom])] }),
        hazards: (hazards.get(address) ?? []).map(({ code }) => code),
        access: accessIn(hazards.get(address) ?? [], address),
        requests: own.map(({ request }) => {
          const { method, path, body, marker, ...rest } = request;
          const { n: _nonce, ...mark } = marker?.marker ?? { n: '' };
          return { method, path: pathText(path), body: encode(body), marker: { ...mark }, rest: encode(rest) };
        }),
      };
      return [address, JSON.stringify(part)] as const;
    },
  );
  return new Map(parts);

  function encodeText(text: string, origin: SecretOrigin | undefined): Encoded {
    return origin === undefined || text === '' ? text : encodeValue(new OutsideValue(text, origin), printedDigest);
  }
}

/** A value with its keys and the items of its lists in one order. */
function inOrder(value: Encoded): Encoded {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(inOrder).sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b)));
  return objectInOrder(Object.entries(value).map(([key, item]) => [key, inOrder(item)]));
}

const isList = (value: Encoded): value is readonly Encoded[] => Array.isArray(value);

/** What the hazards of a change are about, as facts: texts and the order of hazards do not count. */
function accessIn(hazards: readonly Hazard[], address: Address): Encoded {
  const entries = hazards.flatMap((hazard): Encoded[] => {
    const { code, temporary = false, unlisted = false, listedBy = '', urls: all = [], effects } = hazard;
    const about = { code, temporary, unlisted, listedBy };
    if (effects === undefined) return all.length === 0 ? [] : [{ ...about, urls: all }];
    return effects
      .filter(({ cause, urls }) => cause === address && urls.length > 0)
      .map(({ urls, before, after }) => ({ ...about, urls, cause: address, before, after }));
  });
  if (entries.length < 2) return entries;
  const texts = new Map(entries.map((entry) => [JSON.stringify(entry), entry]));
  return [...texts].sort(byText).map(([, entry]) => entry);
}

function byText([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** One digest of all that is approved, for people to compare, in steps of one change. */
export function* approvalDigestInSteps(parts: Comparable, bound: readonly string[]): Sliced<string> {
  const sum = createHash('sha256').update(`[${JSON.stringify(bound)},[`);
  let between = '';
  for (const part of [...parts].sort(byText)) {
    yield;
    sum.update(between + JSON.stringify(part));
    between = ',';
  }
  return `sha256:${sum.update(']]').digest('hex')}`;
}
