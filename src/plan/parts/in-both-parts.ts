import { isAtOrBelow, pointerOf } from '../../derive/pointer.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { InBothParts } from '../../model/plan/plan-parts.ts';

/** The resources and fields that two parts of a plan both change. */
export function inBothParts(part: readonly Change[], other: readonly Change[]): InBothParts {
  const others = new Map(other.map((change) => [change.address, change]));
  return new Map(
    part.flatMap((change): [string, readonly string[]][] => {
      const other = others.get(change.address);
      return other === undefined ? [] : [[change.address, sharedFields(change, other)]];
    }),
  );
}

/** Fields that both set, also where one of them sets a group around it; none where a resource is created or deleted. */
function sharedFields({ fields }: Change, other: Change): readonly string[] {
  const others = other.fields.map(({ path }) => pointerOf(path));
  return fields
    .map(({ path }) => pointerOf(path))
    .filter((pointer) => isAtOrBelow(pointer, others) || others.some((one) => isAtOrBelow(one, [pointer])));
}
