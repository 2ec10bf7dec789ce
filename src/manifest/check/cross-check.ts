import { normalize } from '../../derive/canonical.ts';
import type { Kind, Profile, Unique, KindSet } from '../../kinds/kind.ts';
import { parentKeyIn } from '../../kinds/parent-in.ts';
import { textsIn } from '../../kinds/texts-in.ts';
import type { Address } from '../../model/address.ts';
import type { Desired } from '../../model/resource.ts';
import type { ReportProblem } from './problems.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import { brokenRule } from '../../derive/check/broken-rule.ts';

/** Checks resources against each other: duplicate addresses, and values that must be unique. Returns the resources without the duplicates. */
export function crossCheck(
  resources: readonly Desired[],
  kinds: KindSet,
  profile: Profile,
  report: ReportProblem,
): Desired[] {
  const byAddress = new Map<Address, Desired>();
  const users = new Map<string, Desired>();
  const writers = new Map<string, Desired>();
  for (const desired of resources) {
    const first = byAddress.get(desired.address);
    if (first === undefined) {
      byAddress.set(desired.address, desired);
      const kind = kinds.named(desired.kind);
      for (const unique of kind?.unique ?? []) if (kind !== undefined) checkUnique(desired, kind, unique);
      checkFile(desired);
    } else
      report(desired, () => ({
        code: 'DUPLICATE_ADDRESS',
        message: `${desired.address} is defined twice`,
        place: desired.places.of([]),
        related: [{ message: 'first defined here', place: first.places.of([]) }],
      }));
  }
  return [...byAddress.values()];

  function checkUnique(desired: Desired, kind: Kind, { field, scope, compare, since }: Unique): void {
    const parent = scope === 'parent' ? (parentKeyIn(kind, desired.spec) ?? '') : '';
    for (const { path, text } of textsIn(kind, field, desired.spec)) {
      // The same for values that clash.
      const key = JSON.stringify([kind.name, field, parent, normalize({ compare }, text)]);
      const holder = users.get(key);
      if (holder === undefined) users.set(key, desired);
      if (holder === undefined || holder === desired) continue;
      const message = `\`${kind.name}.spec.${field}\` must be unique: ${quoted(text, 100)} is already used by ${holder.address}`;
      const { severity, ...rule } = brokenRule({ since, message }, profile);
      const related = () => [{ message: `used by ${holder.address}`, place: holder.places.of([field]) }];
      report(
        desired,
        () => ({ code: 'DUPLICATE_VALUE', ...rule, place: desired.places.of(path), related: related() }),
        severity,
      );
    }
  }

  function checkFile(desired: Desired): void {
    const file = desired.lifecycle.certificate_file;
    const other = file === undefined ? undefined : writers.get(file);
    if (file !== undefined && other === undefined) writers.set(file, desired);
    if (other === undefined) return;
    report(desired, () => ({
      code: 'INVALID_LIFECYCLE',
      message: `\`${desired.kind}.lifecycle.certificate_file\` is already used by ${other.address}`,
      place: desired.place,
      related: [{ message: `used by ${other.address}`, place: other.place }],
    }));
  }
}
