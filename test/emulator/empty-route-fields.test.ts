import { expect, test } from 'vitest';
import { withRoute } from './support/setup.ts';

test('a text of a route is cleared, unless the service is one that never does', async () => {
  for (const emptyRouteFields of ['cleared', 'kept'] as const) {
    const route = { description: 'Front', metadata: 'm', backend: { backend_id: 'bkd_1' } };
    const { call, routePath, edgePath } = await withRoute(route, { emptyRouteFields });
    const cleared = await call('PATCH', routePath, { description: '', backend: { backend_id: 'bkd_2' } });
    expect(cleared.status).toBe(200);
    expect(cleared.body).toMatchObject({ metadata: 'm', backend: { backend: { id: 'bkd_2' } } });
    expect(cleared.body['description'] ?? '').toBe(emptyRouteFields === 'cleared' ? '' : 'Front');
    await call('PATCH', edgePath, { description: 'Shop' });
    expect((await call('PATCH', edgePath, { description: '' })).body['description'] ?? '').toBe('');
  }
});
