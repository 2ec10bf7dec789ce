import { expect, test } from 'vitest';
import { templateIn, templateParts, variableIn } from '../../../src/manifest/variables/template.ts';

const variable = (name: string) => ({ variable: name });

test.each([
  ['', []],
  ['plain', ['plain']],
  ['${var.a}', [variable('a')]],
  ['${ var.a }', [variable('a')]],
  ['${var.a}${var.b}', [variable('a'), variable('b')]],
  ['x${var.a}y${var.a}z', ['x', variable('a'), 'y', variable('a'), 'z']],
  ['$${var.a}', ['${', 'var.a}']],
  ['$$${var.a}', ['$', '${', 'var.a}']],
  ['a$${', ['a', '${']],
  ['$a {b} $$ }', ['$a {b} $$ }']],
  ['é${var.ü-1}𝄞', ['é', variable('ü-1'), '𝄞']],
])('the parts of %j', (text, parts) => {
  expect(templateParts(text)).toEqual({ parts });
});

test.each([
  ['${', 'the template has `${` without `}`'],
  ['${var.a} ${var.b', 'the template has `${` without `}`'],
  ['${}', 'the template has `${…}` that is not a variable'],
  ['${var.}', 'the template has `${…}` that is not a variable'],
  ['${a}', 'the template has `${…}` that is not a variable'],
  ['${var.a b}', 'the template has `${…}` that is not a variable'],
  ['${x var.a}', 'the template has `${…}` that is not a variable'],
  ['${var.a} ${local.b}', 'the template has `${…}` that is not a variable'],
])('what is wrong with %j', (text, message) => {
  expect(templateParts(text)).toEqual({ message, hint: 'write `${var.NAME}`, or `$${` for the text `${` itself' });
});

test.each([
  [{ var: 'a' }, 'a', undefined],
  [{ template: '' }, undefined, ''],
  [{ var: 'a', template: 'b' }, undefined, undefined],
  [{ var: 1 }, undefined, undefined],
  [{ template: ['a'] }, undefined, undefined],
  [{}, undefined, undefined],
  [['var'], undefined, undefined],
  ['var', undefined, undefined],
  [null, undefined, undefined],
])('%j has the variable %j and the template %j', (written, name, template) => {
  expect([variableIn(written), templateIn(written)]).toEqual([name, template]);
});
