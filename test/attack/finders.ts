/** Holes with the first attack that finds each; the others are found by attack 1. `ATTACK_HOLES=all` searches for them. */
export const finders: Readonly<Record<string, number>> = {
  'sluice.yaml decides where the key is sent, also in a pipeline': 17,
  'the values of one format may be shown': 3,
  'what the service shows of such a field is not masked': 2,
  'masks search the text for the value of today': 3,
  'a saved plan keeps the text': 3,
  'manifests may read credentials': 25,
  'ids are believed from answers': 25,
  'an error contains the body of its request': 35,
  'a webhook gets its secret in place of a signature': 7,
  'endpoints repeat what came from outside': 57,
  'words of the service are repeated as they are': 35,
  'an error repeats the URL of the state store': 7,
  'a hazard contains the values that are required': 39,
  'drift is shown as it is': 24,
  'values can be inspected': 12,
};
