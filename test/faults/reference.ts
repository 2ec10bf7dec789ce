import { readFileSync } from 'node:fs';
import { kinds } from '../../src/kinds/index.ts';
import type { Profile } from '../../src/kinds/kind.ts';
import type { DesiredStack } from '../../src/model/resource.ts';
import { loadText } from '../support/load-text.ts';

/** The two stacks that the reference apply goes through: everything created, then nearly everything changed. */
export interface Reference {
  readonly before: DesiredStack;
  readonly after: DesiredStack;
}

/** Values that must never be seen, by the variable that holds them. */
export const canarySecrets: Readonly<Record<string, string>> = {
  OAUTH_SECRET: 'oauth',
  HOOK_SECRET: 'hook',
  NEW_HOOK_SECRET: 'new hook',
  OIDC_SECRET: 'oidc',
};

/** Loads the reference stacks as a profile takes them: what is not described is left out under `documented`. */
export async function reference(profile: Profile, env: Readonly<Record<string, string>>): Promise<Reference> {
  const data = {
    'partners-ca.pem': pool('partners-ca.pem'),
    'suppliers-ca.pem': pool('suppliers-ca.pem'),
    'couriers-ca.pem': pool('couriers-ca.pem'),
    'bastion.pub': pool('bastion-ed25519.pub'),
    'gate.pub': pool('gate-ecdsa.pub'),
  };
  const load = (name: string): Promise<DesiredStack> =>
    loadText(
      { ...data, 'stack.yaml': described(read(`faults/reference/${name}.yaml`), profile) },
      { kinds, profile, env, inputs: ['stack.yaml'] },
    );
  return { before: await load('before'), after: await load('after') };
}

function described(text: string, profile: Profile): string {
  return profile === 'completed' ? text : text.replaceAll(/, endpoint_configuration_id: \w+/g, '');
}

function pool(name: string): string {
  return read(`generators/data/${name}`);
}

function read(path: string): string {
  // From the root of the repository: a bundle of this file may be anywhere.
  return readFileSync(`test/${path}`, 'utf8');
}
