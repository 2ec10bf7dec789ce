import { isAlias, isCollection, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Code } from '../../diagnostics/codes.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { limits } from './limits.ts';
import type { YamlTree } from './yaml-tree.ts';
import { syntaxMessage, type SyntaxProblem } from './syntax-problem.ts';
import { type Written, refusedKeys } from './written.ts';

/** The value of a document, and what is wrong in it: keys that are not strings or repeated, numbers that lose digits, recursive aliases. `before`: how many values the file has in earlier documents. */
export function toValue(
  tree: YamlTree,
  starts: WeakMap<object, number>,
  before = 0,
): { readonly value: Written | undefined; readonly problems: readonly SyntaxProblem[]; readonly nodes: number } {
  const problems: SyntaxProblem[] = [];
  const anchors = new Map<string, Node>();
  const open = new Set<Node>();
  let nodes = 0;
  const inFile = limits.fileNodes - before < limits.nodes;
  const most = inFile ? limits.fileNodes - before : limits.nodes;
  const value = tree.contents === null ? null : started(tree.contents, 1);
  const readable = problems.every(({ code }) => code === 'DUPLICATE_KEY');
  return { value: readable ? value : undefined, problems, nodes };

  function wrong(node: Node, code: Code, message: string, hint?: string): null {
    problems.push({ code, range: rangeOf(node), message, ...(hint === undefined ? {} : { hint }) });
    return null;
  }

  function started(node: Node, depth: number): Written {
    const value = visit(node, depth);
    const first = isMap(node) && node.flow !== true ? (node.items as Pair<Node>[])[0]?.key : node;
    if (isMap(node) && typeof value === 'object' && value !== null) starts.set(value, first?.range?.[0] ?? 0);
    return value;
  }

  function visit(node: Node, depth: number): Written {
    nodes += 1;
    if (nodes === most + 1)
      wrong(
        node,
        'TOO_LARGE',
        `the ${inFile ? 'file' : 'document'} has more than ${String(inFile ? limits.fileNodes : most)} values (each alias counts as a copy of its value)`,
      );
    if (nodes > most) return null;
    if (isAlias(node)) return follow(node, node.source, depth);
    if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isScalar(node)) return scalar(node);
    if (depth > limits.depth)
      return wrong(node, 'TOO_DEEP', `the document is nested more than ${String(limits.depth)} levels deep`);
    open.add(node);
    const items = isSeq(node) ? node.items.map((item) => started(item as Node, depth + 1)) : null;
    const value = isMap(node) ? mapping(node, depth) : items;
    open.delete(node);
    return value;
  }

  function follow(node: Node, name: string, depth: number): Written {
    const target = anchors.get(name);
    if (target === undefined) return wrong(node, 'SYNTAX_ERROR', syntaxMessage('BAD_ALIAS'));
    if (open.has(target))
      return wrong(node, 'RECURSIVE_ALIAS', 'the alias refers to a value that contains the alias itself');
    return visit(target, depth);
  }

  function mapping(map: YAMLMap, depth: number): Written {
    const value: Record<string, Written> = {};
    const places = new Map<string, Node>();
    for (const { key, value: item } of map.items as Pair<Node, Node | null>[]) {
      const name = keyName(key);
      if (name === undefined) continue;
      const first = places.get(name);
      if (first === undefined) {
        places.set(name, key);
        value[name] = item === null ? null : visit(item, depth + 1);
      } else
        problems.push({
          code: 'DUPLICATE_KEY',
          range: rangeOf(key),
          message: `duplicate key \`${safeText(name, 100)}\``,
          related: { message: 'first defined here', range: rangeOf(first) },
        });
    }
    return value;
  }

  function keyName(key: Node): string | undefined {
    if (!isScalar(key) || typeof key.value !== 'string')
      wrong(
        key,
        'NON_STRING_KEY',
        'a key must be a string',
        isMap(key) ? 'write {var: NAME} or {from_env: NAME}, with one pair of braces' : 'put the key in quotes',
      );
    else if (refusedKeys.has(key.value)) wrong(key, 'FORBIDDEN_KEY', `the key \`${key.value}\` is not allowed`);
    else if (key.value === '<<')
      wrong(
        key,
        'FORBIDDEN_KEY',
        'the merge key `<<` is not supported',
        'write the merged fields again in each mapping',
      );
    else if (!badText(key)) return key.value;
    return undefined;
  }

  function scalar(node: Scalar): Written {
    const value = node.value;
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return wrong(node, 'UNSAFE_NUMBER', 'infinity and NaN cannot be sent as JSON');
      if (Number.isInteger(value) && !Number.isSafeInteger(value))
        return wrong(
          node,
          'UNSAFE_NUMBER',
          'the number has more digits than JSON can carry exactly',
          'if the field is a string, put the number in quotes',
        );
      return value;
    }
    if (typeof value === 'string') return badText(node) ? null : value;
    return typeof value === 'boolean' || value === null ? value : wrong(node, 'SYNTAX_ERROR', 'not valid YAML');
  }

  function badText(node: Scalar): boolean {
    if (!/[\0\p{Cs}]/u.test(String(node.value))) return false;
    wrong(node, 'INVALID_TEXT', 'a string must not contain NUL or an unpaired surrogate');
    return true;
  }
}

function rangeOf(node: Node): readonly [number, number] {
  const [start, end] = node.range ?? [0, 0];
  return [start, Math.max(end, start + 1)];
}
