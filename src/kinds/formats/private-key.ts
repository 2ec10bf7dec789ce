/** Whether a text holds a private key, where nobody wants one: it is shown nowhere. */
export function holdsPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z ]*PRIVATE KEY/.test(text);
}
