import { addressNamed } from '../../derive/address-named.ts';
import { markerField } from '../../derive/marker.ts';
import { offers } from '../../derive/wire/operations.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { isIdentifying } from '../../kinds/is-identifying.ts';
import type { Kind, Profile, KindSet } from '../../kinds/kind.ts';
import { Ref } from '../../kinds/value.ts';
import { splitAddress } from '../../model/address.ts';
import type { ManifestProblem } from '../check/problems.ts';
import { readableField } from '../check/readable-field.ts';
import { isWrittenObject, type WrittenObject } from '../read/written.ts';

/** Finds another stack by its directory: who its ownership markers name, or why its values cannot be taken. */
export type FindStack = (path: string) => { readonly owner: string } | ManifestProblem;

/** What `{output: {stack, address, field}}` stands for; undefined where nothing of the kind is written. */
export type FindOutput = (value: WrittenObject) => Ref | ManifestProblem | undefined;

/** Finds values of other stacks. They are taken from the account by the ownership marker, so the service must list their kind. */
export function findOutputs(kinds: KindSet, profile: Profile, findStack: FindStack): FindOutput {
  return (value) => {
    if (!Object.hasOwn(value, 'output')) return undefined;
    const output: WrittenObject = isWrittenObject(value['output']) ? value['output'] : {};
    const { stack, address: written, field, ...more } = output;
    const isWhole = Object.keys(value).length === 1 && Object.keys(more).length === 0;
    if (!isWhole || !isPlainText(stack) || !isPlainText(written) || !isPlainText(field)) return malformed;
    const address = addressNamed(written, kinds);
    const kind = kinds.named(splitAddress(address).kind);
    if (kind === undefined)
      return {
        code: 'UNKNOWN_REFERENCE',
        message: `\`address\` must be Kind/name, and \`${safeText(written, 100)}\` names no kind`,
        hint: '`sluice explain` lists the kinds',
      };
    const wrong = fieldProblem(kind, field) ?? unlisted(kind);
    if (wrong !== undefined) return wrong;
    const found = findStack(stack);
    return 'owner' in found ? new Ref(`${address} of ${stack}`, field, { stack, owner: found.owner, address }) : found;
  };

  function unlisted(kind: Kind): ManifestProblem | undefined {
    const root = kinds.named(kind.within?.kind ?? kind.name) ?? kind;
    return offers(root, profile).list && markerField(kind) !== undefined
      ? undefined
      : {
          code: 'OUTPUT_NOT_ALLOWED',
          message: `with the API profile ${profile}, sluice cannot find ${kind.name} of another stack in the account: ${markerField(kind) === undefined ? `${kind.name} has no ownership marker` : `the service does not list ${root.name}`}`,
          hint: 'write the literal value, or use a variable',
        };
  }
}

/** The field may have been set from a value that the other stack masks, unless it is printed everywhere. */
function fieldProblem(kind: Kind, field: string): ManifestProblem | undefined {
  const leaf = readableField(kind, field);
  if (!('is' in leaf)) return leaf;
  if (leaf.lifecycle === 'computed' || isIdentifying(leaf)) return undefined;
  return {
    code: 'OUTPUT_NOT_ALLOWED',
    message: `\`${kind.name}.${safeText(field, 100)}\` is not an output: the manifests of the other stack set the field, and the value may be a secret`,
    hint: 'outputs are ids, computed fields, and fields that identify a resource; for other values, use a variable',
  };
}

/** What it is called in messages. */
function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && safeText(value, 200) === value;
}

const malformed: ManifestProblem = {
  code: 'INVALID_VALUE_SOURCE',
  message: '`output` must have exactly the string fields `stack`, `address` and `field`',
  hint: 'write {output: {stack: ../network, address: Kind/name, field: FIELD}}',
};
