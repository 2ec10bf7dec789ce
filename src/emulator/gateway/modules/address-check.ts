import { BlockList, isIP } from 'node:net';
import { textsOf } from '../../forms/plain.ts';
import { passes, refuses, type ModuleCheck } from '../module-verdict.ts';

/** `ip_restriction`: IP policies permit the source address. Their rules are not in the API, so the options name what they permit. */
export const addressCheck: ModuleCheck = (
  { ip_policy_ids },
  { request: { address }, settings: { permitted, ipPolicies, emptyLists } },
) => {
  const ids = textsOf(ip_policy_ids);
  if (ids.length === 0)
    return emptyLists === 'open'
      ? passes('the IP restriction lists no IP policy')
      : refuses('the IP restriction lists no IP policy');
  const permitting = ids.filter((id) => isIn(address, permitted[id] ?? []));
  const isPermitted = permitting.length > 0 && (ipPolicies === 'any' || permitting.length === ids.length);
  const refusing = ids.filter((id) => !permitting.includes(id));
  return isPermitted
    ? passes(`${permitting.join(', ')} ${permitting.length === 1 ? 'permits' : 'permit'} ${address}`)
    : refuses(`${refusing.join(', ')} ${refusing.length === 1 ? 'does' : 'do'} not permit ${address}`);
};

function isIn(address: string, networks: readonly string[]): boolean {
  const list = networkList(networks);
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** Addresses and networks such as `203.0.113.0/24` as a list to check; throws for anything else. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, /^\d{1,3}$/.test(bits) ? Number(bits) : -1, family);
  }
  return list;
}
