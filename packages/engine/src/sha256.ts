import { createHash } from 'node:crypto';

/** SHA-256 in hexadecimal digits: the hash that operators are given for their provenance. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
