/** How the name of a resource is spelled: a DNS label. */
export const namePattern = '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$';

const pattern = new RegExp(namePattern);

/** Whether a text can name a resource. */
export function isName(text: string): boolean {
  return pattern.test(text);
}
