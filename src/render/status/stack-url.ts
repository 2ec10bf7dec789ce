/** Where the page of a stack is, relative to the page of its fleet. */
export function stackUrl(path: string): string {
  return path === '.' ? 'stacks/' : `stacks/${path.split('/').map(encodeURIComponent).join('/')}/`;
}

/** Where the page of the fleet is, relative to that of a stack. */
export function fleetUrl(path: string): string {
  return '../'.repeat(path === '.' ? 1 : path.split('/').length + 1);
}
