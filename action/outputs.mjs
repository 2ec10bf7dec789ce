// Prints the outputs of action.yml for the JSON of a plan. Whoever opens a pull request decides parts of that JSON, so
// only what has the form of an output is printed.
import { readFileSync } from 'node:fs';

const {
  errored,
  summary,
  resource_changes: changes,
  digest,
  review_digest: reviewDigest,
  hazards,
} = read(process.argv[2]);
if (errored === false) {
  const isPending =
    changes.some(({ change: { actions } }) => actions.join() !== 'no-op') ||
    summary.write_file > 0 ||
    summary.record > 0;
  print('changes', String(isPending || summary.unresolved_creations > 0));
  print('digest', digest);
  if (reviewDigest !== undefined) print('review-digest', reviewDigest);
  print('hazards', [...new Set(hazards.map(({ code }) => code))].join());
  print('unverified', String(summary.unverified_secrets));
}

function print(name, value) {
  if (/^[\w:,-]*$/.test(value)) console.log(`${name}=${value}`);
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
