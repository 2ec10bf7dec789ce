import type { Written } from '../generators/item.ts';
import { Canaries } from '../support/canaries.ts';
import { databasePassword, type AttackedDatabase } from './database.ts';
import type { Dice } from './dice.ts';

/** Where webhooks are. */
export const hooksUrl = 'https://hooks.example.com';

/** The API of the platform that the pipeline runs on. */
export const platformUrl = 'https://git.example.com';

/** Everything of the machine that an attack can name, each text with a canary of its own. */
export interface Loot {
  /** What only the operator's service may learn, as values of fields. */
  readonly masked: Canaries;
  /** What nobody may learn but the service, as the key of its requests. */
  readonly hidden: Canaries;
  readonly key: string;
  /** Of the platform; nobody may learn it but the platform. */
  readonly token: string;
  readonly env: Record<string, string>;
  /** By path from the stack's directory; `../far/` is outside of it. */
  readonly files: Record<string, string>;
  /** A way to give a value, whose text has the form of the one that stood there; in a manifest, unless another file is named. */
  readonly source: (instead: Written, named?: 'sluice.yaml') => Written;
  /** A variable that may be printed, with a text of its own. */
  readonly printed: (text: string) => Written;
  /** A way to give a value that no manifest may use. */
  readonly forbidden: () => Written;
  /** A text in the manifest itself that is secret because of its field. */
  readonly literal: () => string;
  /** Whether there is a database that state may be kept in. */
  readonly hasDatabase: boolean;
}

/** Prepares a machine: variables, files of the stack and beside it. */
export function lootOf(dice: Dice, database: AttackedDatabase | undefined): Loot {
  const [masked, hidden] = [new Canaries(), new Canaries(900)];
  const key = hidden.plantKey('the API key');
  const hook = `${hooksUrl}/${hidden.plantWord('a webhook')}`;
  const token = hidden.plantWord('the token of the platform');
  const far = hidden.plantWord('a file outside the stack');
  hidden.plantText(databasePassword, 'the password of a database');
  const env: Record<string, string> = {
    ...(database === undefined ? {} : { SLUICE_STATE_URL: database.url, DATABASE_URL: database.foreignUrl }),
    SLUICE_API_KEY: key,
    SLUICE_HOOK_URL: hook,
    SLUICE_HOOK_SECRET: hidden.plantWord('the secret of a webhook'),
    COPY_OF_KEY: key,
    GITHUB_API_URL: `${platformUrl}/api/v1`,
    GITHUB_REPOSITORY: 'acme/edges',
    GITEA_TOKEN: token,
    CONNECTION: `server=api;password=${key}`,
  };
  const files: Record<string, string> = {
    'outside/key': `${key}\n`,
    '../far/file': `${far}\n`,
    '../far/env': `OUTSIDE=${far}\n`,
    '../far/ca.pem': far,
    '.git/config': hidden.plantWord('a file in .git'),
    'inside.env': [
      `FROM_FILE=${masked.plantWord('a file of variables')}`,
      `SLUICE_STATE_URL=${database?.foreignUrl ?? ''}`,
      'SLUICE_API_KEY=of-the-stranger',
      'SLUICE_BASE_URL=https://api.attacker.example',
      'HTTPS_PROXY=http://proxy.attacker.example:3128',
      '',
    ].join('\n'),
  };
  let count = 0;
  const printed = (text: string): Written => {
    const name = `SLUICE_VAR_${String(count++)}`;
    env[name] = text;
    return { from_env: name };
  };
  const source: Loot['source'] = (instead, named) => {
    const name = `value_${String(count++)}`;
    if (dice.odds(0.1)) return printed(formed(instead, `plain${String(count)}`));
    const text = formed(instead, masked.plantWord(name));
    // A file that is plainly a policy or SAML may be shown.
    if (dice.odds(0.6) || /^(<md:|\{|on_http)/.test(text)) {
      env[`OUTSIDE_${name}`] = text;
      return { from_env: `OUTSIDE_${name}` };
    }
    files[`outside/${name}`] = dice.odds(0.5) ? text : `${text}\n`;
    return { from_file: `${named === undefined ? '../' : ''}outside/${name}` };
  };
  return {
    masked,
    hidden,
    key,
    token,
    env,
    files,
    source,
    printed,
    forbidden: () =>
      dice.one<Written>([
        { from_env: 'SLUICE_API_KEY' },
        { from_env: 'SLUICE_HOOK_URL' },
        { from_env: 'SLUICE_HOOK_SECRET' },
        { from_env: 'COPY_OF_KEY' },
        { from_env: 'GITEA_TOKEN' },
        { from_env: 'CONNECTION' },
        { from_env: 'OUTSIDE' },
        { from_env: 'SLUICE_STATE_URL' },
        { from_file: '../outside/key' },
        { from_file: '../../far/file' },
        { from_file: '../link/file' },
        { from_file: '../linked-file' },
        { from_file: '../.git/config' },
        { from_file: '/proc/self/environ' },
        { from_file: '../../../../../../../../proc/self/environ' },
      ]),
    literal: () => masked.plantWord('a secret in a manifest'),
    hasDatabase: database !== undefined,
  };
}

/** A text that holds a word and has the form of another value, as its field may ask for. */
function formed(instead: Written, word: string): string {
  const text = typeof instead === 'string' ? instead : '';
  const forms: readonly (readonly [RegExp, string])[] = [
    [/^\S+@\S+$/, `${word}@example.com`],
    [/^https:/, `https://${word}.example.com`],
    [/:\d+$/, `${word}.example.com:443`],
    [/^\//, `/${word}`],
    [/^[\w.-]+\.com$/, `${word}.example.com`],
    [/^example\//, `${word}/web`],
    [/^<md:/, text.replace(/entityID="[^"]*"/, `entityID="https://${word}.example.com"`)],
    [/^\{"team/, `{"note":"${word}"}`],
    [/^\{|^on_http/, `on_http_request: [{name: ${word}}]`],
  ];
  return forms.find(([form]) => form.test(text))?.[1] ?? word;
}
