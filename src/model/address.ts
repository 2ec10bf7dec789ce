/** `Kind/name`; a route is `Kind/<edge>:<name, else match>`. The user's handle for a resource, unique in a stack. */
export type Address = string;

/** The address of a resource of a kind with a name. */
export function addressOf(kind: string, name: string): Address {
  return `${kind}/${name}`;
}

/** The name of a resource inside its parent: `<parent>:<name>`. */
export function nestedName(parent: string, name: string): string {
  return `${parent}:${name}`;
}

/** The address of a resource inside a parent, as it is inside another parent. */
export function addressInside(address: Address, parent: Address, other: Address): Address {
  const { kind, name } = splitAddress(address);
  const own = name.slice(splitAddress(parent).name.length + 1);
  return addressOf(kind, nestedName(splitAddress(other).name, own));
}

/** The kind of an address, and the name. */
export function splitAddress(address: Address): { readonly kind: string; readonly name: string } {
  const slash = address.indexOf('/');
  return { kind: address.slice(0, slash), name: address.slice(slash + 1) };
}
