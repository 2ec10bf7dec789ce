import { SluiceError } from '../diagnostics/errors.ts';
import { quoted } from '../diagnostics/quoted.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { idForm, isId } from '../model/id.ts';
import type { StackContext } from './stack-context.ts';
import { systemReason, writeHint } from '../diagnostics/system-reason.ts';

/** The command cannot be carried out as it was given, and what to do instead (exit 8). */
export class UsageError extends SluiceError {
  constructor(message: string, hint?: string) {
    super('USAGE', message, hint === undefined ? {} : { hint });
  }
}

/** Who passes options: a person to a command, or a program to the library. */
export type Caller = Pick<StackContext, 'isLibrary'>;

/** How a message names an option: by the flag of the command, or as a program passes it. */
export function optionName({ isLibrary }: Caller, flag: string, option: string): string {
  return isLibrary === true ? `\`${option}\`` : flag;
}

/** The hint to the word of a command line that was probably meant, if there is one near enough. */
export function suggestAddress(word: string, known: Iterable<string>): string | undefined {
  const near = suggest(word, known);
  return near === undefined ? undefined : `did you mean ${near}?`;
}

/** The error about a target that is not where it was looked for. */
export function unknownTarget(caller: Caller, target: string, where: string, known: Iterable<string>): UsageError {
  return new UsageError(
    `${optionName(caller, '--target', 'target')}: ${quoted(target, 200)} is ${where}`,
    suggestAddress(target, known) ?? 'an address has the form Kind/name, as `sluice plan` prints it',
  );
}

/** Refuses an argument that cannot be an id. */
export function mustBeIdArgument(id: string): void {
  if (!isId(id)) throw new UsageError(`${quoted(id, 200)} is not an id`, `an id is ${idForm}`);
}

/** Writes a file named by the user; a failure is a usage error. */
export async function writeOutputFile<Written>(name: string, write: () => Promise<Written>): Promise<Written> {
  try {
    return await write();
  } catch (error) {
    throw new UsageError(`${name} cannot be written: ${systemReason(error)}`, writeHint(error) ?? 'use another path');
  }
}
