import type { Behaviour } from '../world.ts';

/** An address is given once, at creation, in its region. */
export const reservedAddrBehaviour: Behaviour = {
  decide: ({ id, spec, own }, before, { chance }) =>
    before === undefined
      ? {
          addr: `${chance.number(1_000_000, id, 'host')}.tcp.${typeof spec['region'] === 'string' ? spec['region'] : 'us'}.emulator.invalid:${10_000 + chance.number(20_000, id, 'port')}`,
        }
      : own,
};
