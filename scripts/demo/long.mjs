// Manages the company in examples/ as a user would: real HTTP, an emulator in a process of its own.
import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const families = [
  'HTTPSEdge',
  'CertificateAuthority',
  'AgentIngress',
  'SSHHostCertificate',
  'ReservedAddr',
  'EventSubscription',
];
const example = fileURLToPath(new URL('../../examples/company', import.meta.url));

/** From nothing to the example company, a change, a refused deletion, and nothing again. */
export async function long(stage) {
  Object.assign(stage.environment, {
    SLUICE_API_KEY: 'demo',
    DEPLOY_WEBHOOK_SECRET: 'only-for-the-demo-1',
    SHOP_GITHUB_CLIENT_SECRET: 'only-for-the-demo-2',
    SHOP_OIDC_CLIENT_SECRET: 'only-for-the-demo-3',
  });
  await cp(example, stage.stack, { recursive: true });

  await stage.heading('Start the emulator in a separate process');
  stage.environment.SLUICE_BASE_URL = await stage.emulator();

  await stage.heading('Plan: show the required changes (exit code 2: changes are pending)');
  await stage.sluice(['plan', '--detailed-exitcode'], 2);

  await stage.heading('Apply the changes');
  await stage.summary(['apply', '--auto-approve']);

  await stage.heading('Plan again: no changes (exit code 0)');
  await stage.sluice(['plan', '--detailed-exitcode'], 0);

  await stage.heading('Edit a manifest: a second email domain may sign in, and the edge gets a new description');
  await stage.edit('manifests/shop.yaml', [
    ['description: Public shop', 'description: Public shop, now in Dutch too'],
    ['google: {email_domains: [example.com]}', 'google: {email_domains: [example.com, example.nl]}'],
  ]);
  await stage.sluice(['plan', '--detailed-exitcode'], 2);
  await stage.summary(['apply', '--auto-approve']);

  await stage.heading('Destroy the stack: refused, because the reserved addresses are protected (exit code 3)');
  await stage.sluice(['destroy', '--auto-approve'], 3);

  await stage.heading('Remove the protection: a change like any other');
  await stage.edit('sluice.yaml', [
    [
      'policy: {max_deletes: 25%}',
      [
        'policy: {max_deletes: 25%}',
        'patches:',
        ...['mqtt-eu', 'mqtt-us'].flatMap((name) => [
          `  - target: {kind: ReservedAddr, name: ${name}}`,
          '    patch: [{op: add, path: /lifecycle, value: {protect: false}}]',
        ]),
      ].join('\n'),
    ],
  ]);
  await stage.sluice(['plan', '--detailed-exitcode'], 2);
  await stage.summary(['apply', '--auto-approve']);

  await stage.heading('Destroy the stack');
  await stage.summary(['destroy', '--auto-approve']);

  await stage.heading('Check that the account is empty');
  for (const kind of families) {
    const found = await stage.captured(['get', kind], 0);
    process.stdout.write(found);
    if (!found.startsWith(`No ${kind} `)) throw new Error(`the account still contains a ${kind}`);
  }
}
