import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { jsonSchemaOfStackFile } from '../../../src/manifest/stack-file/stack-json-schema.ts';
import { stackSchema } from '../../../src/manifest/stack-file/stack-schema.ts';

const validate = new Ajv2020({ allowUnionTypes: true }).compile(jsonSchemaOfStackFile());
const least = { version: 1, stack: { name: 'prod', id: '7f3a9c21' } };

test.each(['company', 'staging'])('the sluice.yaml of the example %s is right', (name) => {
  validate(parse(readFileSync(`examples/${name}/sluice.yaml`, 'utf8')));
  expect(validate.errors).toBeNull();
});

test.each([
  [least, true],
  [{ ...least, policy: { max_deletes: 3 }, api: { rate_limit: '120/60s' } }, true],
  [
    {
      ...least,
      patches: [{ target: { kind: 'A', name: 'b' }, patch: [{ op: 'add', path: '/spec', value: { a: [null] } }] }],
    },
    true,
  ],
  [{ ...least, version: 2 }, false],
  [{ ...least, manifest: [] }, false],
  [{ ...least, stack: { name: 'prod' } }, false],
  [{ ...least, api: { key: 'written out' } }, false],
  [{ ...least, policy: { max_deletes: '200%' } }, false],
])('%j is right: %s, to the schema and to sluice', (file, right) => {
  expect(validate(file)).toBe(right);
  expect(stackSchema.safeParse(file).success).toBe(right);
});
