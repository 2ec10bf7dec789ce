import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { company, directory, sluice, stackFile } from './terminal.ts';

const strict = `${stackFile}policy: {max_deletes: 1, block: [LOSES_ADDRESS, OPENS_ACCESS]}
access:
  public: ["shop.example.com/*"]
  rules:
    - {name: admin, urls: ["*.example.com/admin*"], require: [named_users]}
  strict: true
`;
const edited = company.replace('Sensors', 'Meters');

async function applied(rules: string): Promise<string> {
  const dir = await directory({
    'sluice.yaml': strict,
    'manifests/shop.yaml': company.replace('match: /,', 'match: /shop,'),
  });
  expect(await sluice(dir, 'apply --auto-approve')).toMatchObject({ code: 0 });
  await writeFile(join(dir, 'sluice.yaml'), rules);
  await writeFile(join(dir, 'manifests/shop.yaml'), edited.replace('match: /,', 'match: /shop,'));
  return dir;
}

const loosened = async (rules: string): Promise<string> => {
  const { err } = await sluice(await applied(rules), 'plan');
  return (
    /RULES_LOOSENED\S* (?:sluice\.yaml is less strict than in the last run \(began [^)]+\): )(.*)\n/.exec(err)?.[1] ??
    ''
  );
};

test('a plan shows what sluice.yaml allows that it did not in the last run', async () => {
  expect(await loosened(strict.replace('max_deletes: 1', 'max_deletes: 50'))).toBe(
    '`policy.max_deletes` is 50 (was 1)',
  );
  expect(await loosened(strict.replace('max_deletes: 1', 'max_deletes: 5%'))).toBe(
    '`policy.max_deletes` is 5% (was 1)',
  );
  expect(await loosened(strict.replace(', OPENS_ACCESS', ''))).toBe('`policy.block` no longer lists OPENS_ACCESS');
  expect(await loosened(strict.replace('require: [named_users]', 'require: [authentication]'))).toBe(
    'the access rule admin has changed',
  );
  expect(await loosened(stackFile.concat('policy: {max_deletes: 1, block: [LOSES_ADDRESS, OPENS_ACCESS]}\n'))).toBe(
    '`access.public` is no longer declared; the access rule admin is removed; `access.strict` is no longer true',
  );
  expect(await loosened(strict.replace('["shop.example.com/*"]', '["shop.example.com/*", "x.example.com/"]'))).toBe(
    '`access.public` now lists x.example.com/',
  );
  const exception =
    '  exceptions:\n    - {rule: admin, url: "demo.example.com/admin", reason: fair, until: 2099-01-31}\n';
  expect(await loosened(strict + exception)).toBe(
    'there is a new exception to the access rule admin at demo.example.com/admin',
  );
});

test('a plan shows nothing where the rules are as they were or stricter, and nothing once a run was made with them', async () => {
  expect(await loosened(strict)).toBe('');
  expect(
    await loosened(
      strict.replace('max_deletes: 1', 'max_deletes: 0').replace('block: [', 'block: [REISSUES_CREDENTIAL, '),
    ),
  ).toBe('');
  const dir = await applied(strict.replace('max_deletes: 1', 'max_deletes: 50'));
  expect((await sluice(dir, 'apply --auto-approve')).err).toContain('RULES_LOOSENED');
  await writeFile(join(dir, 'manifests/shop.yaml'), company.replace('match: /,', 'match: /shop,'));
  expect((await sluice(dir, 'plan')).err).not.toContain('RULES_LOOSENED');
});
