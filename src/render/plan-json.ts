import { pointerOf } from '../derive/pointer.ts';
import { isSpecObject, Ref, Secret, type SpecValue } from '../kinds/value.ts';
import { splitAddress } from '../model/address.ts';
import type { Action, Change, Plan, Step } from '../model/plan.ts';
import { byAddress } from './by-address.ts';
import { diagnosticJson, placeJson } from './diagnostic-json.ts';
import { maskedJson } from './masked-json.ts';
import { requestPath } from './requests-text.ts';
import { shownBody } from './shown-body.ts';

type Json = Readonly<Record<string, unknown>>;

const terraformActions: Readonly<Record<Action, readonly string[]>> = {
  none: ['no-op'],
  create: ['create'],
  update: ['update'],
  'replace-create-first': ['create', 'delete'],
  'replace-delete-first': ['delete', 'create'],
  delete: ['delete'],
  adopt: ['update'],
  forget: ['forget'],
  // Policies are about the account, where nothing happens.
  'write-file': ['no-op'],
};

/** A plan as a value for JSON, in the shape of Terraform's plans so that policies written for those can read it. */
export function planJson(plan: Plan): Json {
  const [hazardsOf, stepsOf] = [byAddress(plan.hazards), byAddress(plan.steps)];
  return {
    format_version: '1.0',
    stack: plan.stack,
    profile: plan.profile,
    complete: plan.whole,
    summary: summaryOf(plan),
    now: plan.now === undefined ? undefined : new Date(plan.now).toISOString(),
    hazards: plan.hazards,
    resource_changes: plan.changes.map((change) => ({
      ...changeJson(change, stepsOf(change.address)),
      hazards: hazardsOf(change.address).map(({ code }) => code),
      requests: stepsOf(change.address).map(({ id }) => id),
    })),
    requests: plan.steps.map(requestJson),
    files: plan.files.map(({ address, path, why }) => ({ address, path, why })),
    diagnostics: plan.diagnostics.map(diagnosticJson),
  };
}

function summaryOf({ changes, steps }: Plan): Json {
  const count = (...actions: Action[]): number => changes.filter(({ action }) => actions.includes(action)).length;
  return {
    create: count('create'),
    update: count('update'),
    replace: count('replace-create-first', 'replace-delete-first'),
    delete: count('delete'),
    adopt: count('adopt'),
    forget: count('forget'),
    write_file: count('write-file'),
    unchanged: count('none'),
    blocked: changes.filter(({ blocked }) => blocked !== undefined).length,
    requests: steps.length,
  };
}

function changeJson(change: Change, steps: readonly Step[]): Json {
  const { kind, id, place, action, actual, desired, fields } = change;
  const changedSecrets = new Set(fields.filter(({ secret }) => secret).map(({ path }) => pointerOf(path)));
  const isNew = actual === undefined;
  const shown = (value: SpecValue): unknown =>
    maskedJson(value, (at) => ({ sensitive: true, changed: isNew || changedSecrets.has(at) }));
  return {
    address: change.address,
    type: kind,
    name: splitAddress(change.address).name,
    id,
    source: place === undefined ? undefined : placeJson(place),
    change: {
      actions: terraformActions[action],
      before: isNew ? null : shown(actual),
      after: desired === undefined ? null : shown(desired),
      after_unknown: {
        ...(isNew ? { id: true } : {}),
        ...Object.fromEntries(
          steps.flatMap(({ request: { validFor } }) => (validFor === undefined ? [] : [[validFor.field, true]])),
        ),
        ...(desired === undefined ? {} : unknownIn(desired)),
      },
      replace_paths: fields.filter(({ immutable }) => immutable).map(({ path }) => path),
      ...(action === 'adopt' ? { importing: { id } } : {}),
    },
    reasons: fields.map(({ path, reason }) => ({ path, reason })),
    why: change.why,
    held: change.held,
    marker_only: change.markerOnly,
    protected: change.protect,
    goes_with: change.withParent,
    blocked: change.blocked,
  };
}

function requestJson(step: Step): Json {
  const { id, address, note, after, request } = step;
  const body = shownBody(request, () => ({ sensitive: true }));
  return { id, address, method: request.method, path: requestPath(request.path), body, note, after };
}

/** True wherever a value holds an id that only apply will know. */
function unknownIn(value: SpecValue): object {
  if (Array.isArray(value)) return value.map((item) => mark(item as SpecValue));
  if (!isSpecObject(value)) return {};
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, mark(item)]);
  return Object.fromEntries(entries.filter(([, unknown]) => unknown !== false));
}

function mark(value: SpecValue): unknown {
  if (value instanceof Ref) return true;
  if (typeof value !== 'object' || value === null || value instanceof Secret) return false;
  const inner = unknownIn(value);
  const marks: unknown[] = Object.values(inner);
  return marks.some((item) => item !== false) ? inner : false;
}
