/** The name of a kind on the command line and in file names: `agent-thing` for AgentThing. */
export function spelledKind(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
