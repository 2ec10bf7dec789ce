import { isSpecObject, textOf } from '../../kinds/value.ts';
import { listOf } from '../forms/plain.ts';
import type { Behaviour } from '../world.ts';

/** Every source has an address below its subscription. */
export const eventSubscriptionBehaviour: Behaviour = {
  show: (read) => ({
    ...read,
    sources: listOf(read['sources'])
      .filter(isSpecObject)
      .map((source) => ({
        ...source,
        uri: `${textOf(read['uri'])}/sources/${encodeURIComponent(textOf(source['type']))}`,
      })),
  }),
};
