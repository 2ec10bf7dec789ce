import about from '../../package.json' with { type: 'json' };

// Set by the build.
declare const programVersion: string;

// The bin. `--version` answers before anything else is read, so it starts as fast as Node does.
const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) process.stdout.write(`${about.version}\n`);
else (await import('./code-cache.ts')).runCached(new URL('program.cjs', import.meta.url), programVersion, args);
