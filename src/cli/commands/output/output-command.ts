import { outputsOf, primaryOutputs, type OutputValue } from '../../../derive/wire/outputs.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { addressOf, splitAddress, type Address } from '../../../model/address.ts';
import { readEndpoints } from '../../../refresh/service-source.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { readPart, stateOf } from '../../read-part.ts';
import { addressOfWord, kindNamed } from '../../usage/kind-named.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Workspace } from '../../../stack/workspace.ts';
import { withWorkspace } from '../../with-workspace.ts';
import { isGroup, outputAt, outputItems, outputLines, outputTable, type OutputText } from './output-text.ts';

/** Prints the outputs of the stack, of one resource, or one value. */
export async function output(
  context: Context,
  word: string | undefined,
  { raw = false, parallelism }: { readonly raw?: boolean; readonly parallelism: number },
): Promise<number> {
  const what = word === undefined ? undefined : addressOfWord(word);
  if (raw && (what === undefined || !context.format.isInteractive))
    throw new UsageError(
      '--raw requires one field and cannot be combined with --format',
      'pass one field and no --format, such as `sluice output Kind/name.id --raw`',
    );
  const kind = what === undefined ? undefined : kindNamed(splitAddress(what).kind);
  return withWorkspace(context, { parallelism, command: 'output', writes: false }, async (workspace) => {
    const resources = await readOutputs(kind, workspace);
    if (what === undefined) {
      const all = [...resources].map(
        ([address, { kind, outputs }]) => [address, primaryOutputs(kind, outputs)] as const,
      );
      return context.done(outputTable(all, context.palette), { outputs: Object.fromEntries(all) });
    }
    const { address, path, value } = outputAt(what, resources);
    if (!raw)
      return context.done(
        isGroup(value) ? outputTable([[[address, ...path].join('.'), value]], context.palette) : outputLines(value),
        { output: what, value },
      );
    context.io.out(rawText(what, value, context.io.terminal.out));
    return exitCodes.done;
  });
}

/** The outputs of resources of this stack: of one kind, or of all resources in state. */
async function readOutputs(kind: Kind | undefined, workspace: Workspace): Promise<ReadonlyMap<Address, OutputText>> {
  const { state, stateOrEmpty } = workspace;
  const outer = kind === undefined ? undefined : kinds.outermost(kind.name);
  const [{ ours }, served] = await Promise.all([
    readPart(workspace, {
      state: outer === undefined ? state : stateOf(stateOrEmpty, new Set([outer])),
      wanted: new Set(outer === undefined ? [] : [outer]),
      // An address that is not in state, so that resources that are not in state are read as well.
      addresses: outer === undefined ? [] : [addressOf(outer, '?')],
    }),
    readEndpoints(workspace.reader),
  ]);
  return new Map(
    [...ours]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([address, actual]): [Address, OutputText][] => {
        const of = kinds.named(actual.kind);
        return of === undefined ? [] : [[address, { kind: of, outputs: outputsOf(of, actual, served) }]];
      }),
  );
}

/** The value byte for byte; on a terminal, control characters are escaped. */
function rawText(what: string, value: OutputValue, isTerminal: boolean): string {
  const texts = outputItems(value).map((one) => {
    if (typeof one !== 'object' || one === null) return String(one);
    throw new UsageError(
      `${safeText(what, 200)} has several fields, but --raw prints only one field`,
      'add the name of one field, or use --format json instead of --raw',
    );
  });
  if (isTerminal) return outputLines(value);
  return Array.isArray(value) ? texts.map((text) => `${text}\n`).join('') : texts.join('');
}
