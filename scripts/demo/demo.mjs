// Two screens: a shop behind a sign-in is planned and applied, and a change that would open it is refused.
// With --long also the whole company of examples/.
import { mkdir } from 'node:fs/promises';
import { long } from './long.mjs';
import { onStage } from './stage.mjs';

const manifest = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - match_type: path_prefix
      match: /
      backend: {backend_id: bkdhr_2shopA7kq}
      oauth: {provider: {google: {email_domains: [example.com]}}}
`;

await onStage(short);
if (process.argv.includes('--long') && process.exitCode === undefined) await onStage(long);

async function short(stage) {
  await mkdir(stage.stack);
  await stage.captured(['init', '--empty'], 0);
  await stage.edit('sluice.yaml', [['{max_deletes: 25%}', '{max_deletes: 25%, block: [OPENS_ACCESS]}']]);

  await stage.heading('An edge with one route. Only people of example.com may sign in.');
  await stage.write('manifests/shop.yaml', manifest);
  await stage.sluice(['plan'], 0);
  await stage.summary(['apply', '--auto-approve']);

  await stage.heading('Somebody removes the sign-in from the manifest.');
  await stage.edit('manifests/shop.yaml', [
    ['      oauth: {provider: {google: {email_domains: [example.com]}}}\n', ''],
  ]);

  await stage.heading('The plan begins with what that opens, and apply refuses it (exit code 3).');
  await stage.sluice(['apply', '--auto-approve'], 3);
  await stage.heading(
    'Nothing was written. `npm run demo -- --long` shows a whole company; `sluice init` starts a stack.',
  );
}
