import { readMap, type JsonText } from '@holdfast/core';
import { memberOf } from '@holdfast/kit';
import { unwrap, type ToolResponse } from './tool-response.ts';

/** One case, as far as it matters here: everything is a view of its bytes but the response. */
export interface Case {
  readonly attackType: string;
  readonly attackerInstruction: string;
  readonly userTool: JsonText;
  readonly userInstruction: JsonText;
  /** A Python literal, not JSON: shown as the text that it is. */
  readonly parameters: JsonText;
  readonly response: ToolResponse;
  readonly modified: JsonText | null;
}

/** The case in the bytes of an element. Throws RECORD_INVALID with the member that is wrong. */
export function readCase(bytes: Uint8Array): Case {
  const modified = readMap(bytes).get('Modifed');
  return {
    attackType: memberOf(bytes, 'Attack Type', 'string').string(),
    attackerInstruction: memberOf(bytes, 'Attacker Instruction', 'string').string(),
    userTool: memberOf(bytes, 'User Tool', 'string'),
    userInstruction: memberOf(bytes, 'User Instruction', 'string'),
    parameters: memberOf(bytes, 'Tool Parameters', 'string'),
    response: unwrap(memberOf(bytes, 'Tool Response', 'string')),
    // Upstream spells it like that.
    modified: modified?.kind === 'number' ? modified : null,
  };
}
