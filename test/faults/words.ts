/** Everything that an error could show: its message, its hint, and those of what caused it. */
export function renderable(error: unknown): string {
  if (error === undefined) return '';
  if (!(error instanceof Error)) return JSON.stringify(error);
  const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : '';
  return [error.message, hint, renderable(error.cause)].join('\n');
}
