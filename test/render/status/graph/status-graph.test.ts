import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atOnce } from '../../../../src/model/sliced.ts';
import { graphNodes } from '../../../../src/render/status/graph/graph-nodes.ts';
import { layOut, type Box } from '../../../../src/render/status/graph/graph-layout.ts';
import { statusGraph } from '../../../../src/render/status/graph/status-graph.ts';
import { company, resource } from '../../../watch/company.ts';
import { statusPageInSteps } from '../../../../src/render/status/page/status-page.ts';
import { large } from '../../../watch/statuses.ts';

const graphs: fc.Arbitrary<readonly Box[]> = fc
  .array(fc.array(fc.nat(40), { maxLength: 4 }), { maxLength: 41 })
  .map((all) =>
    all.map((dependsOn, index) => ({
      key: String(index),
      dependsOn: [...new Set(dependsOn.filter((need) => need < all.length).map(String))],
    })),
  );

describe('the layout', () => {
  test('puts each resource to the right of its dependencies', () => {
    const forward = graphs.map((boxes) =>
      boxes.map(({ key, dependsOn }) => ({ key, dependsOn: dependsOn.filter((need) => Number(need) < Number(key)) })),
    );
    fc.assert(
      fc.property(forward, (boxes) => {
        const { spots } = layOut(boxes);
        for (const { key, dependsOn } of boxes)
          for (const need of dependsOn) expect(spots.get(need)!.column).toBeLessThan(spots.get(key)!.column);
      }),
    );
  });

  test('puts no two boxes on one spot, even where references go round in circles', () => {
    fc.assert(
      fc.property(graphs, (boxes) => {
        const { spots, columns, rows } = layOut(boxes);
        expect(spots.size).toBe(boxes.length);
        const placed = [...spots.values()];
        for (const [index, a] of placed.entries()) {
          expect(a.column).toBeLessThan(columns);
          expect(a.row + 1).toBeLessThanOrEqual(rows + 1e-9);
          for (const b of placed.slice(index + 1))
            if (a.column === b.column) expect(Math.abs(a.row - b.row)).toBeGreaterThan(0.999);
        }
      }),
    );
  });
});

describe('the boxes', () => {
  test('are one for each resource, as long as there are few', () => {
    const { nodes, collapsed, omitted } = atOnce(graphNodes(company));
    expect(nodes).toHaveLength(company.length);
    expect([collapsed, omitted]).toEqual([0, 0]);
    expect(nodes.map(({ label }) => label)).toContain('checkout');
  });

  test('of many, those in sync are put together with their like; all others stand alone', () => {
    const { nodes, collapsed, omitted } = atOnce(graphNodes(large.resources));
    expect(nodes.length).toBeLessThan(30);
    expect(omitted).toBe(0);
    expect(nodes.flatMap(({ members }) => members)).toHaveLength(300);
    expect(nodes.filter(({ syncStatus }) => syncStatus !== 'in-sync').map(({ members }) => members.length)).toEqual(
      new Array(7).fill(1),
    );
    expect(collapsed).toBeGreaterThan(250);
    expect(atOnce(statusGraph(large.resources))?.text).toContain('in sync are grouped with similar resources');
  });

  test('are never more than the limit: what asks for attention is drawn, and how many are not is reported', () => {
    const failed = Array.from({ length: 400 }, (_, index) =>
      resource(`HTTPSEdge/e${index}`, [], { syncStatus: index < 40 ? 'failed' : 'drifted' }),
    );
    const { nodes, omitted } = atOnce(graphNodes(failed));
    expect(nodes).toHaveLength(50);
    expect(nodes.filter(({ syncStatus }) => syncStatus === 'failed')).toHaveLength(40);
    expect(omitted).toBe(350);
    expect(atOnce(statusGraph(failed))?.text).toContain('350 less urgent resources are omitted (size limit)');
  });
});

test('a page of many resources is made in short steps, and draws nothing again', () => {
  const status = { ...large, resources: [...large.resources] };
  const steps = (): number => [...statusPageInSteps(status, '?q=shop')].length;
  expect(steps()).toBeGreaterThan(status.resources.length);
  expect(steps()).toBeLessThan(20);
});
