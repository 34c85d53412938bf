import { JsonText } from '@holdfast/core';

/** The same value, frozen all the way down, so that a change of it throws. Texts and bytes cannot be frozen. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || JsonText.is(value) || ArrayBuffer.isView(value)) return value;
  if (!Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}
