import type { Kind } from './kind.ts';
import { byDefault, computed, description, identity, immutable, metadata, oneOf, ref, text } from './fields.ts';

/** A reserved `hostname:port` TCP address in a region. */
export const reservedAddr: Kind = {
  name: 'ReservedAddr',
  doc: 'A reserved hostname:port TCP address in a region.',
  path: '/reserved_addrs',
  listKey: 'reserved_addrs',
  idPrefix: 'ra',
  operations: { create: 'described', get: 'described', list: 'described', update: 'described', delete: 'described' },
  fields: {
    ...identity,
    description: description(null),
    metadata: metadata(),
    region: immutable(byDefault(oneOf(['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'], 'Region of the address.'), 'us')),
    endpoint_configuration_id: ref(
      'endpoint_configuration',
      'Configuration of the endpoint served at the address. sluice sets the field with an update after creation.',
      {
        readAs: 'endpoint_configuration',
        since: 'completed',
        notOnCreate: true,
        widensWhen: 'changes',
      },
    ),
    addr: computed(text('The hostname:port assigned at creation.')),
  },
  rules: [],
  unique: [],
  clientAddress: { by: 'addr', reachedBy: 'anyone, unless the endpoint served there restricts access' },
  printerColumns: ['addr', 'region'],
  protectedBecause: 'a deleted address cannot be recovered',
  destroys: 'address',
  alsoCalled: ['tcp_address'],
};
