import { present } from '../../model/present.ts';
import type { StacksJson } from './stacks-json-schema.ts';
import { stackStatus, stackStatuses, type StacksResult, type StackStatus } from './stacks-result.ts';

/** How a command ended in several stacks, as a value for JSON: with what it prints for each alone. */
export function stacksJson({ command, exitCode, stacks }: StacksResult): StacksJson {
  const results = stacks.map((result) => ({ ...result, status: stackStatus(result) }));
  const counts = stackStatuses.map((status): [StackStatus, number] => [
    status,
    results.filter((result) => result.status === status).length,
  ]);
  return {
    format_version: '1.0',
    command,
    exit_code: exitCode,
    summary: Object.fromEntries(counts) as StacksJson['summary'],
    stacks: results.map(({ stack, status, exitCode: own, failedDependency, value }) =>
      present({ stack, status, exit_code: own, failed_dependency: failedDependency, result: value?.() }),
    ),
  };
}
