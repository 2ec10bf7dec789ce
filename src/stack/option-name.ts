import type { StackContext } from './stack-context.ts';

/** Who passes options: a person to a command, or a program to the library. */
export type Caller = Pick<StackContext, 'isLibrary'>;

/** How a message names an option: by the flag of the command, or as a program passes it. */
export function optionName({ isLibrary }: Caller, flag: string, option: string): string {
  return isLibrary === true ? `\`${option}\`` : flag;
}
