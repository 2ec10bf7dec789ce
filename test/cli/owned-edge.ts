import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { shopEdge } from '../support/shop-edge.ts';
import { sluice, stack, stackFile } from './terminal.ts';

/** A stack on a service that updates no marker of an edge. */
export const documented = stackFile.replace('vendor: example', 'vendor: example, profile: documented');

/** An address that no test is about. */
export const address = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: x}
lifecycle: {protect: false}
spec: {region: eu, description: one}
`;

/** An edge with a route, and the address. */
export function edge(name: string, lifecycle: string, routeLifecycle?: string): string {
  return `${shopEdge(name, lifecycle, routeLifecycle)}---
${address}`;
}

/** A stack to which each of the manifests was applied after the other. */
export async function applied(file: string, ...manifests: readonly string[]): Promise<string> {
  const dir = await stack('', file);
  for (const text of manifests) {
    await write(dir, text);
    expect(await sluice(dir, 'apply --auto-approve')).toMatchObject({ code: 0 });
  }
  return dir;
}

/** Writes the manifests of such a stack. */
export function write(dir: string, text: string): Promise<void> {
  return writeFile(join(dir, 'manifests/company.yaml'), text);
}
