import { openService, type Service } from '../stack/service/open-service.ts';
import type { Context } from './context.ts';

/** Works with the service alone, whose connections are closed afterwards. */
export async function withService<Result>(
  context: Context,
  options: Parameters<typeof openService>[1],
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const service = await openService(context, options);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}
