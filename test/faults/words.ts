/** Everything that an error could show: its message, its hint, and those of what caused it. */
export function renderable(error: unknown): string {
  if (!(error instanceof Error)) return error === undefined ? '' : String(error);
  const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : '';
  return [error.message, hint, renderable(error.cause)].join('\n');
}
