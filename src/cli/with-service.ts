import { openService, type Service } from '../stack/service/open-service.ts';
import { closeAfter, unclosedCode } from './close-after.ts';
import type { Context } from './context.ts';

/** Works with the service alone, whose connections are closed afterwards. */
export async function withService(
  context: Context,
  options: Parameters<typeof openService>[1],
  work: (service: Service) => Promise<number>,
): Promise<number> {
  const service = await openService(context, options);
  return closeAfter(context, service.close, () => work(service), unclosedCode);
}
