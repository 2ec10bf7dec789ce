import type { Reporter, SerializedError, TestModule } from 'vitest/node';

// Prints "N passed, N failed" alone on the very last line of a run, the form CI reads.
export class CountReporter implements Reporter {
  #line: string | undefined;

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    // Other reporters still write after this hook, so the line waits for the process to end.
    if (this.#line === undefined) process.once('exit', () => process.stdout.write(`${this.#line ?? ''}\n`));
    this.#line = countLine(modules, unhandled.length);
  }
}

// A file that could not be loaded, and an error outside any test, each count as one failure.
function countLine(modules: readonly TestModule[], strayErrors: number): string {
  const count = { passed: 0, failed: strayErrors, skipped: 0, pending: 0 };
  for (const module of modules) {
    count.failed += module.errors().length;
    for (const suite of module.children.allSuites()) count.failed += suite.errors().length;
    for (const test of module.children.allTests()) count[test.result().state] += 1;
  }
  const skipped = count.skipped + count.pending;
  return `${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
