import type { Stored } from '../../src/emulator/family.ts';
import { kinds } from '../../src/kinds/index.ts';

/** How a configuration of Terraform is cut: as modules, indexes, blocks and resources of their own. */
export interface TerraformShape {
  /** Blocks are lists of at most one, or objects. */
  readonly blocks: 'lists' | 'objects';
  /** Routes are blocks of their edge, or resources. */
  readonly routes: 'blocks' | 'resources';
  /** Modules of routes and edges are blocks, or resources. */
  readonly modules: 'blocks' | 'resources';
  readonly index: 'none' | 'count' | 'for_each';
  /** How many modules of Terraform are around. */
  readonly depth: 0 | 1 | 3;
  readonly order: 'edge_https' | 'https_edge';
}

type Json = Readonly<Record<string, unknown>>;

const computedOfModules = /^(entity_id|assertion_consumer_service_url|single_logout_url|metadata_url)$/;
const moduleNames = [
  ...['backend', 'ip_restriction', 'circuit_breaker', 'compression', 'request_headers', 'response_headers', 'oauth'],
  ...['webhook_verification', 'saml', 'oidc', 'websocket_tcp_converter', 'user_agent_filter', 'traffic_policy'],
  ...['mutual_tls', 'tls_termination'],
];

/** What `terraform show -json` would print of an account, with the attribute names that a provider of the API documents. */
export function terraformJson(resources: readonly Stored[], shape: TerraformShape): string {
  const entries = resources.flatMap((resource, number): Json[] => {
    const type = snakeCase(resource.kind).replace('https_edge', shape.order);
    if (kinds.named(resource.kind) === undefined || (resource.kind === 'HTTPSEdgeRoute' && shape.routes === 'blocks'))
      return [];
    const [values, sensitive, modules] = attributes(resource);
    const routes = resources.filter(({ kind, parent }) => kind === 'HTTPSEdgeRoute' && parent === resource.id);
    const inside = resource.kind === 'HTTPSEdge' && shape.routes === 'blocks' ? routes.map(whole) : [];
    const around = {
      ...values,
      ...(inside.length === 0 ? {} : { route: inside.map(([route]) => route) }),
    };
    const marks = { ...sensitive, ...(inside.length === 0 ? {} : { route: inside.map(([, marked]) => marked) }) };
    return [
      entry(type, number, around, marks),
      ...modules.map(([name, module, marked]) =>
        entry(`${type}_${name}`, number, { id: `own-${name}`, ...owner(resource), ...module }, marked),
      ),
    ];
  });
  return JSON.stringify({
    format_version: '1.0',
    terraform_version: '1.9.0',
    values: { root_module: nested(shape.depth, entries) },
  });

  function entry(type: string, number: number, values: Json, sensitive: unknown): Json {
    const index = { none: undefined, count: number, for_each: `No ${String(number)}!` }[shape.index];
    const path = Array.from({ length: shape.depth }, (_, level) => `module.m${String(level)}.`).join('');
    const name = index === undefined ? `r${String(number)}` : 'all';
    const shown = index === undefined ? '' : `[${JSON.stringify(index)}]`;
    return {
      address: `${path}example_${type}.${name}${shown}`,
      mode: 'managed',
      type: `example_${type}`,
      name,
      ...(index === undefined ? {} : { index }),
      values,
      sensitive_values: sensitive,
    };
  }

  function owner({ kind, id, parent }: Stored): Json {
    return kind === 'HTTPSEdge' ? { edge_id: id } : { edge_id: parent, route_id: id };
  }

  /** Attributes, what of them is sensitive, and modules that are resources of their own. */
  function attributes(
    { id, spec, parent, created_at }: Stored,
    modulesInside = shape.modules === 'blocks',
  ): [Json, Json, [string, Json, unknown][]] {
    const own = Object.entries(spec).filter(([name]) => modulesInside || !moduleNames.includes(name));
    const [values, sensitive] = block(Object.fromEntries(own));
    const modules = Object.entries(spec)
      .filter(([name]) => !own.some(([one]) => one === name))
      .map(([name, module]): [string, Json, unknown] => [name, ...block(module as unknown as Json)]);
    const place = parent === undefined ? {} : { edge_id: parent };
    return [{ id, uri: `https://api.example.com/${id}`, created_at, ...place, ...values }, sensitive, modules];
  }

  function whole(route: Stored): [Json, Json] {
    const [values, sensitive] = attributes(route, true);
    return [values, sensitive];
  }

  function block(given: Json): [Json, Json] {
    const values: Record<string, unknown> = { unset_text: '', unset_block: [], unset_list: null };
    const sensitive: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(given)) {
      if (computedOfModules.test(name)) continue;
      if (typeof value !== 'object' || value === null || Array.isArray(value) || name === 'add') {
        values[name] = value;
        if (/secret$/.test(name)) sensitive[name] = true;
      } else {
        const [inner, marked] = block(value as Json);
        values[name] = shape.blocks === 'lists' ? [inner] : inner;
        sensitive[name] = shape.blocks === 'lists' ? [marked] : marked;
      }
    }
    return [values, sensitive];
  }
}

function nested(depth: number, resources: readonly Json[]): Json {
  return depth === 0 ? { resources } : { child_modules: [{ address: 'module.m', ...nested(depth - 1, resources) }] };
}

/** A kind as a provider of Terraform writes it: SSHHostCertificate is ssh_host_certificate. */
function snakeCase(kind: string): string {
  return kind.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase();
}
