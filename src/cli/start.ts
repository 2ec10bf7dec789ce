import about from '../../package.json' with { type: 'json' };
import { outliveReaders } from './output/outlive-readers.ts';
import { helpWidth, preparedAnswer } from './usage/prepared-answer.ts';

// Set by the build.
declare const programVersion: string;

// The bin. The version, help and completion scripts are printed before anything else is read.
const args = process.argv.slice(2);
const answer = readyAnswer();
if (answer === undefined)
  (await import('./code-cache.ts')).runCached(new URL('program.cjs', import.meta.url), programVersion, args);
else {
  outliveReaders(process);
  process.stdout.write(answer);
}

function readyAnswer(): string | undefined {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) return `${about.version}\n`;
  const { isTTY, columns } = process.stdout;
  return preparedAnswer(new URL('answers/', import.meta.url), args, helpWidth(isTTY, columns));
}
