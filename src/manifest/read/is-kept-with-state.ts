import { basename, dirname, relative } from 'node:path';

// What follows the name of a state file, and the names of the other files, which those of `state.json` have alone.
const ownFiles = /^(?:\.journal|\.(?:tmp|unreadable)-.*)?$/;
const otherFiles = /^(?:lock(?:\.(?:by|after)-.*)?|runs(?:[/\\].*)?|watch-(?:requests|state)\.json(?:\.tmp-.*)?)$/;

/** Whether a path is a state file, or one of the files that sluice keeps beside it. */
export function isKeptWithState(path: string, state: string): boolean {
  const [there, name] = [relative(dirname(state), path), basename(state)];
  const prefix = name === 'state.json' ? '' : `${name}.`;
  return (
    (there.startsWith(name) && ownFiles.test(there.slice(name.length))) ||
    (there.startsWith(prefix) && otherFiles.test(there.slice(prefix.length)))
  );
}
