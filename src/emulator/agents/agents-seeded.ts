import type { AgentSetup } from './agents.ts';

const systems = ['linux', 'linux', 'darwin', 'windows', 'linux'] as const;
const regions = ['us', 'eu', 'ap'] as const;

/** So many agents that differ: systems, regions, some up to date, some that do not update, each with a tunnel of its own. */
export function seededAgents(count: number): readonly AgentSetup[] {
  return Array.from({ length: count }, (_, index): AgentSetup => {
    const name = `agent-${String(index + 1).padStart(2, '0')}`;
    const isCurrent = index % 4 === 3;
    return {
      version: isCurrent ? '3.5.0' : '3.4.0',
      ...(isCurrent ? {} : { available: '3.5.0' }),
      updates: index % 7 !== 6,
      os: systems[index % systems.length] ?? 'linux',
      region: regions[index % regions.length] ?? 'us',
      ip: `192.0.2.${1 + (index % 254)}`,
      credential: `cr_${name}`,
      metadata: JSON.stringify({ name }),
      tunnels: [{ proto: 'https', hostport: `${name}.emulator.invalid:443`, domain: `rd_${name}` }],
    };
  });
}
