import type { Action, Plan } from '../../model/plan/plan.ts';

const counted: Readonly<Record<'create' | 'update' | 'delete', readonly Action[]>> = {
  create: ['create', 'replace-create-first', 'replace-delete-first'],
  update: ['update', 'adopt'],
  delete: ['delete', 'replace-create-first', 'replace-delete-first'],
};

/** A plan in the numbers that GitLab shows on a merge request; a replacement is a creation and a deletion, as Terraform counts. */
export function gitlabReport({ changes }: Plan): Readonly<Record<'create' | 'update' | 'delete', number>> {
  const count = (actions: readonly Action[]): number => changes.filter(({ action }) => actions.includes(action)).length;
  return { create: count(counted.create), update: count(counted.update), delete: count(counted.delete) };
}
