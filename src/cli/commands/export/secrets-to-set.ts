/** Which variables hold the secrets that manifests were written without; empty if there are none. */
export function secretsToSet(variables: readonly string[]): string[] {
  const names = variables.map((name) => `\n  ${name}`).join('');
  return names === ''
    ? []
    : [
        `Secrets were not exported. Before the next plan, set these environment variables to the current values of the secrets:${names}`,
      ];
}
