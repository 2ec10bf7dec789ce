/*
 * JSON or YAML by content, for all readers of YAML alike: `yes` is a text to one and true to another, so a plain word that
 * some version of YAML takes for more than a text is its own spelling and nothing else. Not compared: comments, line
 * breaks, indentation, the style of mappings and texts, the order of keys. What has anchors, tags, directives or keys
 * that are no words is compared as text.
 */
import { isAlias, isScalar, isSeq, parseDocument, Scalar, type ParsedNode } from 'yaml';
import { isTooDeep } from '../../kinds/nesting.ts';
import { sortedJson } from '../sorted-json.ts';
import { jsonForm } from './marked-json.ts';

// Longer than anyone writes; finding out what it holds could take seconds.
const longest = 100_000;

const ambiguous = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/** A policy in one spelling; undefined for what is compared as text. */
export function policyForm(text: string): string | undefined {
  if (text.length > longest || /^%/m.test(text) || isTooDeep(text)) return undefined;
  try {
    // The parser's own search for keys that stand twice takes quadratic time.
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
    if (document.errors.length > 0 || document.warnings.length > 0 || document.contents === null) return undefined;
    const form = nodeForm(document.contents);
    return jsonForm(text) ?? sortedJson(form);
  } catch {
    return undefined;
  }
}

/** As JSON is marked: a text begins with `s`, a number with `n`, what may be either with `p`. */
function nodeForm(node: ParsedNode | null): unknown {
  if (node === null) return null;
  if (isAlias(node) || node.tag !== undefined || node.anchor !== undefined) throw new SyntaxError('not-plain');
  if (isScalar(node)) return scalarForm(node);
  if (isSeq(node)) return node.items.map((item) => nodeForm(item));
  const entries = new Map<string, unknown>();
  for (const { key, value } of node.items) {
    const name = nodeForm(key);
    if (typeof name !== 'string' || !name.startsWith('s')) throw new SyntaxError('key-not-a-string');
    if (entries.has(name)) throw new SyntaxError('duplicate-key');
    entries.set(name, nodeForm(value));
  }
  return Object.fromEntries(entries);
}

function scalarForm({ type, source = '', value }: Scalar): unknown {
  if (type !== Scalar.PLAIN) return `s${String(value)}`;
  if (source === 'true' || source === 'false' || source === 'null' || source === '') return value;
  if (/^(?:0|-?[1-9]\d*)$/.test(source)) return `n${jsonForm(source)?.slice(2, -1) ?? source}`;
  return /^[A-Za-z_/]/.test(source) && !ambiguous.test(source) ? `s${String(value)}` : `p${source}`;
}
