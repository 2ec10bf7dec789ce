import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Received, Sent } from '../contract/replay.ts';
import { operationsOf, readDocument, type Operation } from './document.ts';

/** Holds requests and answers against the document: a sentence for every place where they are not what it says. */
export interface Conformance {
  readonly request: (sent: Sent) => readonly string[];
  readonly answer: (sent: Sent, received: Received) => readonly string[];
}

interface Found {
  readonly call: string;
  readonly operation: Operation;
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Makes every object of the document a closed one, so that a key it does not know is a problem too. */
export function createConformance(document = readDocument()): Conformance {
  // Forms that the checks of a kind know better have a name only.
  const named = ['password', 'pem', 'regex', 'ssh-public-key', 'xml', 'yaml'].map((name) => [name, true] as const);
  const formats = { 'date-time': time, ...Object.fromEntries(named) };
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
  ajv.addSchema({ ...(closed(document) as object), $id: 'api' });
  const operations = operationsOf(document);
  const compiled = new Map<string, ValidateFunction>();
  return {
    request: (sent) => {
      const found = operationFor(sent, operations);
      if (found === undefined) return [`${sent.method} ${sent.path} is no call of the document`];
      if (found.operation.requestBody === undefined)
        return sent.body === undefined ? [] : [`${found.call} takes no body and was sent one`];
      return problems(`${found.call} sent`, [...pathTo(found), 'requestBody', ...jsonSchema], sent.body);
    },
    answer: (sent, received) => {
      const found = operationFor(sent, operations);
      // What leads nowhere is refused all the same.
      if (found === undefined) return problems(sent.path, ['components', 'schemas', 'Error'], received.body);
      const { responses } = found.operation;
      const status = [String(received.status), `${String(received.status)[0]!}XX`].find((key) => responses[key]);
      if (status === undefined) return [`${found.call} answers ${received.status}, which the document does not know`];
      if (responses[status]!.$ref !== undefined)
        return problems(`${found.call} ${status}`, ['components', 'schemas', 'Error'], received.body);
      if (responses[status]!.content === undefined)
        return received.body === '' ? [] : [`${found.call} ${status} has a body: ${received.body}`];
      return problems(`${found.call} ${status}`, [...pathTo(found), 'responses', status, ...jsonSchema], received.body);
    },
  };

  function problems(what: string, keys: readonly string[], body: string | undefined): readonly string[] {
    if (body === undefined) return [`${what}: there is no body`];
    const pointer = keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const isRight = compiled.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` });
    compiled.set(pointer, isRight);
    if (isRight(JSON.parse(body))) return [];
    return (isRight.errors ?? []).map(
      ({ instancePath, message, params }) => `${what}: ${instancePath} ${String(message)} ${JSON.stringify(params)}`,
    );
  }
}

const jsonSchema = ['content', 'application/json', 'schema'];

function pathTo({ call }: Found): readonly string[] {
  const [method = '', path = ''] = call.split(' ');
  return ['paths', path, method.toLowerCase()];
}

function operationFor({ method, path }: Sent, operations: ReadonlyMap<string, Operation>): Found | undefined {
  const segments = path.replace(/\?.*$/, '').split('/');
  for (const [call, operation] of operations) {
    const [itsMethod, template = ''] = call.split(' ');
    const wanted = template.split('/');
    const fits = wanted.every((segment, at) => segment.startsWith('{') || segment === segments[at]);
    if (itsMethod === method && wanted.length === segments.length && fits) return { call, operation };
  }
  return undefined;
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  return 'properties' in copy && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy;
}
