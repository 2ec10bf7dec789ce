import type { Kind } from './kind.ts';
import { byDefault, computed, description, identity, immutable, metadata, oneOf, ref, text } from './fields.ts';

/** A reserved `hostname:port` TCP address in a region. */
export const reservedAddr: Kind = {
  name: 'ReservedAddr',
  doc: 'A TCP address (hostname:port) that the service reserves for the account in one region.',
  path: '/reserved_addrs',
  listKey: 'reserved_addrs',
  idPrefix: 'ra',
  operations: { create: 'described', get: 'described', list: 'described', update: 'described', delete: 'described' },
  fields: {
    ...identity,
    description: description(null),
    metadata: metadata(),
    region: immutable(
      byDefault(oneOf(['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'], 'Region in which the address is reserved.'), 'us'),
    ),
    endpoint_configuration_id: ref(
      'endpoint_configuration',
      'Id of the endpoint configuration that applies at the address. sluice sets this field with an update after it creates the address.',
      { readAs: 'endpoint_configuration', since: 'completed', notOnCreate: true, widensWhen: 'changes' },
    ),
    addr: computed(text('The address (hostname:port), which the service assigns at creation.')),
  },
  rules: [],
  unique: [],
  clientAddress: { by: 'addr', reachedBy: 'anyone, unless the endpoint configuration of the address restricts access' },
  printerColumns: ['addr', 'region'],
  protectedBecause: 'a deleted address cannot be recovered',
  destroys: 'address',
  alsoCalled: ['tcp_address'],
};
