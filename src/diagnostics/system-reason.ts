/** Why the operating system refused something: its own code, such as EACCES, else the words of the error. */
export function systemReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
