/*
 * What two plans are compared by (decisions/0036). In: address, action, id, before and after of what
 * changes, files, hazards, requests. Out: reasons, source lines, times, URLs in texts, and the nonces, which are drawn again.
 */
import { createHash } from 'node:crypto';
import { pathText } from '../../derive/operations.ts';
import type { Address } from '../../model/address.ts';
import { byAddress } from '../../model/by-address.ts';
import type { Plan } from '../../model/plan.ts';
import { encodeValue, type Encoded, type SecretDigest } from './encoded.ts';

/** What of a plan is approved, by address, each part as text. */
export type Comparable = ReadonlyMap<Address, string>;

/** The comparable part of a plan; secrets by a digest that must be the same on both sides. */
export function comparable(plan: Plan, digest: SecretDigest): Comparable {
  const [steps, hazards] = [byAddress(plan.steps), byAddress(plan.hazards)];
  const changing = plan.changes.filter(({ action }) => action !== 'none');
  const parts = changing.map(({ address, action, id, fields, blocked }): [Address, string] => {
    const own = steps.get(address) ?? [];
    const part: Encoded = {
      action,
      id: id ?? null,
      blocked: blocked?.code ?? null,
      fields: fields.map(({ path, before, after }) => ({
        path: path.map(String),
        before: encodeValue(before, digest),
        after: encodeValue(after, digest),
      })),
      file: plan.files.find((file) => file.address === address)?.path ?? null,
      hazards: (hazards.get(address) ?? []).map(({ code }) => code),
      requests: own.map(({ request }) => {
        const { method, path, body, marker, ...rest } = request;
        const { n: _nonce, ...mark } = marker?.marker ?? { n: '' };
        return {
          method,
          path: pathText(path),
          body: encodeValue(body, digest),
          marker: { ...mark },
          rest: encodeValue(rest, digest),
        };
      }),
    };
    return [address, JSON.stringify(part)];
  });
  return new Map(parts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One digest of all that is approved, for people to compare. */
export function approvalDigest(parts: Comparable, bound: readonly string[]): string {
  return `sha256:${createHash('sha256')
    .update(JSON.stringify([bound, [...parts]]))
    .digest('hex')}`;
}
