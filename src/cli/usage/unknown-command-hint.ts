import type { Command } from 'commander';
import { kindWords, plainWord } from '../../derive/explain/kind-words.ts';
import { suggest } from '../../diagnostics/suggest.ts';
import { kinds } from '../../kinds/index.ts';
import { fullName } from '../cli-command.ts';
import { stopManaging } from './stop-managing.ts';

/** What to run in place of a command that does not exist in a group of commands. */
export function unknownCommandHint(word: string, group: Command): string {
  const [, other] = others.find(([words]) => words.split(' ').includes(word)) ?? [];
  if (other !== undefined) return other;
  if (kindWords(kinds).has(plainWord(word))) return `run \`sluice get ${word}\` to list live resources of this kind`;
  // A word that is not about deleting never leads to the command that deletes everything.
  const near = suggest(
    word,
    group.commands.map((command) => command.name()).filter((name) => name !== 'destroy' || word.startsWith('de')),
  );
  const of = fullName(group);
  return near === undefined ? `run \`${of} help\` to list the commands` : `did you mean \`${of} ${near}\`?`;
}

const plan = 'run `sluice plan` to show what would change';
const forget = `to stop managing a resource that stays in the account, ${stopManaging}`;

// Commands of Terraform, kubectl, Helm and Flux.
const others: readonly (readonly [words: string, hint: string])[] = [
  ['version', 'run `sluice --version`'],
  ['diff preview dry-run', plan],
  ['up deploy create sync run', 'run `sluice apply` to make the changes that the manifests require'],
  ['reconcile', 'run `sluice apply` once, or `sluice watch` to reconcile continuously'],
  ['replace', `${plan}; if you change an immutable field, sluice replaces the resource`],
  ['taint', 'change the manifest; sluice replaces a resource only if a field cannot be updated'],
  ['delete del rm remove', `remove the manifest of the resource, then run \`sluice apply\`; ${forget}`],
  ['uninstall down', 'run `sluice destroy` to delete all resources of the stack'],
  ['describe', 'run `sluice get KIND NAME -o yaml` for one live resource, or `sluice explain KIND` for its fields'],
  ['refresh drift', 'every plan reads the account: run `sluice plan --drift-only` to show what changed there'],
  ['log logs', 'run `sluice history` for earlier runs, or pass --log-level debug'],
  [
    'list ls console',
    'run `sluice get KIND` to list live resources, or `sluice state list` to list the resources of this stack',
  ],
  ['edit', 'edit the manifest, then run `sluice plan`'],
  ['patch', 'edit the manifest, or add a patch to `patches` in sluice.yaml'],
  ['check lint', 'run `sluice validate`'],
  ['format', 'run `sluice fmt`'],
  ['test', 'run `sluice validate`, or `sluice plan --verify`'],
  ['adopt', 'run `sluice import ADDRESS ID`, or write `lifecycle: {adopt: ID}` in the manifest'],
  ['mv move rename', 'write `lifecycle: {moved_from: ADDRESS}` in the manifest'],
  [
    'revert undo',
    'revert the commit of the manifests, then run `sluice apply`; `sluice rollback` applies an earlier commit',
  ],
  ['graph', 'run `sluice exposure --format svg` for a picture of who can reach what'],
  ['access', 'run `sluice exposure` to list who can reach which URLs'],
  ['curl', 'run `sluice trace GET URL` to show how a request is handled'],
  ['dashboard', 'run `sluice watch`: it serves a status page'],
  ['force-unlock unlock', 'run `sluice state unlock`'],
  ['forget', forget],
  ['rollout', 'run `sluice sessions rollout` to update and restart agents'],
  ['restart', 'run `sluice sessions restart` to restart agents'],
  ['agents session', 'run `sluice sessions list`'],
  ['endpoint', 'run `sluice endpoints list`'],
  ['login', 'set SLUICE_API_KEY or SLUICE_API_KEY_FILE'],
  ['api-resources kinds', 'run `sluice explain` to list the kinds'],
  ['docs', 'run `sluice help`, or `sluice explain` for the kinds'],
  ['workspace', 'create a stack for each environment, each in a separate directory'],
  ['suspend', 'run `sluice pause`'],
];
