import { createHash } from 'node:crypto';

/** The manifest of an address. */
export function address(description: string, name = 'mqtt'): string {
  return `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}}\nspec: {region: eu, description: ${description}}\n`;
}

/** A stack with one address, by its path in the directory; its name is the last part of that. */
export function stackAt(path: string, manifest = address(path), baseUrl = 'embedded'): Record<string, string> {
  const id = createHash('sha256').update(path).digest('hex').slice(0, 8);
  const stack = `{name: ${path.split('/').at(-1) ?? path}, id: "${id}"}`;
  return {
    [`${path}/sluice.yaml`]: `version: 1\nstack: ${stack}\nmanifests: [manifests]\napi: {base_url: "${baseUrl}", vendor: example}\n`,
    [`${path}/manifests/mqtt.yaml`]: manifest,
  };
}
