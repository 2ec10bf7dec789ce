/** HTTPSEdgeRoute is https-edge-route. */
export function kebab(word: string): string {
  return word.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();
}
