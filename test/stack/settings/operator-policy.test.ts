import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InvalidInput } from '../../../src/diagnostics/errors.ts';
import { readOperatorPolicy } from '../../../src/stack/settings/operator-policy.ts';
import { directory } from '../../cli/terminal.ts';

interface Named {
  readonly flag?: string;
  readonly variable?: string;
}

/** The policy in a file of this directory. */
function policyIn(cwd: string, { flag, variable }: Named) {
  const env = variable === undefined ? {} : { SLUICE_OPERATOR_POLICY: variable };
  return readOperatorPolicy({ io: { cwd, env }, flags: flag === undefined ? {} : { operatorPolicy: flag } } as never);
}

const withPolicy = async (text: string): Promise<string> => directory({ 'operator.yaml': `version: 1\n${text}\n` });

describe('the policy of the operator', () => {
  test('is none where no file is named', () => {
    expect(policyIn('/', {})).toBeUndefined();
  });

  test('is what its file says, and nothing else', async () => {
    const cwd = await withPolicy(
      'block: [OPENS_ACCESS]\nmax_deletes: 25%\nprune: false\ncomment: {detail: counts}\ntrusted_origins: ["https://API.example.com"]',
    );
    expect(policyIn(cwd, { variable: 'operator.yaml' })).toEqual({
      file: join(cwd, 'operator.yaml'),
      limits: { block: ['OPENS_ACCESS'], maxDeletes: { percent: 25 } },
      prune: false,
      commentDetail: 'counts',
      trustedOrigins: ['https://api.example.com'],
    });
    const little = await withPolicy('max_deletes: 3');
    expect(policyIn(little, { variable: 'operator.yaml' })).toEqual({
      file: join(little, 'operator.yaml'),
      limits: { block: [], maxDeletes: { count: 3 } },
      prune: true,
    });
  });

  test('is in the file that the flag names, rather than the variable', async () => {
    const cwd = await withPolicy('max_deletes: 3');
    expect(policyIn(cwd, { flag: 'operator.yaml', variable: 'other.yaml' })?.file).toBe(join(cwd, 'operator.yaml'));
    expect(() => policyIn(cwd, { flag: '', variable: 'operator.yaml' })).toThrow('--operator-policy is empty');
    expect(() => policyIn(cwd, { variable: '' })).toThrow('SLUICE_OPERATOR_POLICY is empty');
  });

  test.each([
    ['is missing', 'none.yaml', 'FILE_NOT_FOUND'],
    ['has an unknown setting', 'operator.yaml', 'UNKNOWN_FIELD'],
  ])('whose file %s ends the command', async (_, variable, code) => {
    const cwd = await withPolicy('blocks: [OPENS_ACCESS]');
    const error = thrownBy(() => policyIn(cwd, { variable }));
    expect(error).toBeInstanceOf(InvalidInput);
    expect((error as InvalidInput).diagnostics.map((one) => one.code)).toEqual([code]);
  });

  test('whose settings are in a block of sluice.yaml is told where they belong', async () => {
    const cwd = await withPolicy('policy: {block: [OPENS_ACCESS]}');
    const { diagnostics } = thrownBy(() => policyIn(cwd, { variable: 'operator.yaml' })) as InvalidInput;
    expect(diagnostics.map(({ hint }) => hint)).toEqual(['write `block` and `max_deletes` at the top level']);
  });

  test('has rules of access, and no two of one name', async () => {
    const rule = '{name: admin, urls: [shop.example.com/admin*], require: [named_users]}';
    const read = policyIn(await withPolicy(`access: {rules: [${rule}]}`), { variable: 'operator.yaml' });
    expect(read?.access).toMatchObject({ source: 'operator', rules: [{ name: 'admin' }] });
    expect(read?.access?.placeOf?.('admin')).toMatchObject({ file: 'operator.yaml', line: 2 });
    const twice = await withPolicy(`access: {rules: [${rule}, ${rule}]}`);
    expect(() => policyIn(twice, { variable: 'operator.yaml' })).toThrow('contains the name admin twice');
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
